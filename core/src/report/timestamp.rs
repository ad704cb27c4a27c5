//! Milliseconds since 1970 as ISO 8601 (EVT-006). The calendar is proleptic Gregorian, in UTC.

/// `2026-11-30T12:00:00.000Z`. Years beyond 9999 get as many digits as they need.
pub(crate) fn iso_8601(ms: u64) -> String {
    let (days, in_day) = (ms / 86_400_000, ms % 86_400_000);
    let (year, month, day) = civil(days);
    let (hour, minute, second, milli) = (in_day / 3_600_000, in_day / 60_000 % 60, in_day / 1000 % 60, in_day % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// The date of a day counted from 1970-01-01. The year is taken to begin in March, so that the leap day comes last.
fn civil(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::iso_8601;

    #[rstest]
    #[case(0, "1970-01-01T00:00:00.000Z")]
    #[case(951_782_399_999, "2000-02-28T23:59:59.999Z")]
    #[case(951_782_400_000, "2000-02-29T00:00:00.000Z")]
    #[case(951_868_800_000, "2000-03-01T00:00:00.000Z")]
    #[case(1_796_040_000_123, "2026-11-30T12:00:00.123Z")]
    #[case(4_107_542_400_000, "2100-03-01T00:00:00.000Z")]
    #[case(253_402_300_800_000, "10000-01-01T00:00:00.000Z")]
    fn evt_006_timestamps_are_utc_with_milliseconds(#[case] ms: u64, #[case] expected: &str) {
        assert_eq!(iso_8601(ms), expected);
    }
}
