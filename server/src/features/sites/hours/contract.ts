export const OFFICE_SPANS_MAX = 28;
export const HOLIDAYS_MAX = 200;
export const HOLIDAY_NAME_MAX_LENGTH = 100;

/**
 * Office hours: outside of them the site is offline. Holidays need their time zone: a site that is open around the clock except on
 * holidays has all of each day (`00:00` to `24:00`) as its hours.
 */
export interface OfficeHours {
  /** IANA name */
  timeZone: string;
  days: OfficeSpan[];
  /** Left out: none. */
  holidays?: Holiday[];
}

/** A day of the time zone on which the office is closed. Several days in a row are several holidays. */
export interface Holiday {
  /** `YYYY-MM-DD` */
  date: string;
  name: string;
  /** Every year from that one on; 29 February in leap years only. */
  yearly: boolean;
}

/** One time span of a weekday; a span past midnight is entered as two. */
export interface OfficeSpan {
  /** 0 (Sunday) to 6 */
  day: number;
  /** `HH:MM` on the wall clock of the time zone */
  from: string;
  /** `HH:MM`, later than `from`; `24:00` is the end of the day */
  to: string;
}

/** Whether visitors of a site find somebody at this moment. */
export interface SiteAvailability {
  siteId: string;
  /** Whether it is within the office hours; a site without them is always open. */
  open: boolean;
  /** Whether visitors can chat. Otherwise they see the offline form. */
  online: boolean;
  /** ISO 8601: when a site that is closed by its hours opens; left out: it is open or in offline mode, or not within 60 days. */
  opensAt?: string;
  /** The name of the holiday for which it is closed today. */
  holiday?: string;
}
