//! Which names are sensitive, as data (HARD-052).
