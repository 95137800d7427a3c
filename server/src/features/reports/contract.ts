/** The most days that a report covers, today included. */
export const REPORT_DAYS_MAX = 90;
export const REPORT_DAYS_DEFAULT = 30;

/** Which chats and days a report covers. */
export interface ReportQuery {
  /** One site. If left out, all sites of the caller. */
  siteId?: string;
  /** So many days up to today, at most `REPORT_DAYS_MAX`. */
  days?: number;
  /** The time zone of days and hours. If left out, UTC. */
  tz?: string;
  /** The id of a department, also of a deleted one: only its chats. If left out, all. */
  department?: string;
}

/** The ratings of one day. */
export interface RatingDay {
  /** Like `2026-05-31`, in the time zone asked for. */
  day: string;
  ratings: number;
  /** The average number of stars; null if there are no ratings. */
  rating: number | null;
}

/** What one agent did. Medians and averages are null where there is nothing to take them of. */
export interface AgentReport {
  /** `name` is null if the account was deleted; null: chats without a claimer when they were closed or rated. */
  agent: { _id: string; name: string | null } | null;
  /** Chats to which the agent gave the first response. */
  answered: number;
  /** The median time from the beginning of those chats to that response, in minutes. */
  responseMinutes: number | null;
  /** Chats that were the agent's when they were closed, by whomever. */
  resolved: number;
  /** The median time from the beginning of those chats to their close, in minutes. */
  resolutionMinutes: number | null;
  /** Rated chats that were the agent's when they were closed. */
  ratings: number;
  /** The average number of stars. */
  rating: number | null;
}

/**
 * The chats of one department. A chat counts for the department that it is for, or was for when it was closed; a resolution or
 * rating for that of its time. Medians and averages are null where there is nothing to take them of.
 */
export interface DepartmentReport extends Omit<AgentReport, 'agent'> {
  /** `name` is null if the department was deleted. */
  department: { _id: string; name: string | null };
  siteId: string;
  /** Chats that began. */
  chats: number;
  /** Chats that were closed before anybody, or the assistant, had answered. */
  missed: number;
}

/** Satisfaction (CSAT), hours and agents. Each chat counts when it began, was answered, closed or rated. No chats of bots. */
export interface Report {
  /** The number of ratings with one star, with two, … */
  stars: number[];
  /** The average number of stars; null if there are no ratings. */
  rating: number | null;
  /** Oldest first. */
  perDay: RatingDay[];
  /** Chats that began, by hour of the day, from midnight on. */
  perHour: number[];
  /** All agents on sites where the caller has `reports.agents`, elsewhere the caller alone; most answers first. */
  agents: AgentReport[];
  /** Departments with chats in these days, most chats first. */
  departments: DepartmentReport[];
  /** Suggested answers that agents have sent as they were; null: no site has switched suggestions on, or one department is asked for. Counted by UTC days. */
  suggestionsUsed: number | null;
}

/** The calls of the Reports screen. */
export interface ReportsApi {
  'GET /reports': { query: ReportQuery; data: Report };
  /** The agents of the report, or its departments, as a CSV file. */
  'GET /reports/export': { query: ReportQuery & { table?: 'agents' | 'departments' }; data: never };
}
