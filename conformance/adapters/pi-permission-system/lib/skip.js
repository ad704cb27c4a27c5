/** What this implementation cannot be made to show; the message is the reason. */
export class Skip extends Error {}
