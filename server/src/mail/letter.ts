/** Something that somebody else wrote: shown as a quotation, so that it cannot pass for the mail's own words. */
export interface Quote {
  /** Who wrote it. */
  by: string;
  text: string;
}

/** A mail before it has its looks. Names and texts of other people may stand in it as they are. */
export interface Letter {
  /** What kind it is, for the log, which names no address. */
  kind: 'invite' | 'reset' | 'waiting' | 'offline' | 'answer' | 'transcript' | 'security' | 'storage' | 'test';
  /** One bare address. */
  to: string;
  /** The name beside the sender's address; without it the one of `MAIL_FROM`. */
  fromName?: string;
  subject: string;
  /** Paragraphs; each becomes a single line. */
  text: (string | Quote)[];
  /** The one thing to do; `path` begins with `/` and is put behind `PUBLIC_URL`. Secrets stand after `#`. */
  action?: { label: string; path: string };
  /** Why this mail came, and where such mails are switched off. */
  footer: string;
  /** On whose behalf it leaves: they take turns, and are bounded. Left out: Parley's own word, which waits for nobody. */
  behalf?: { site: string; account: string };
  /** Ids of the site and the visitor that it tells of: when they are erased, so is what has not left yet. */
  about?: string[];
}

/** A rendered letter. */
export interface Rendered {
  text: string;
  html: string;
}

const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** One line without control and direction characters: what may stand in a header, or beside our own words. */
export function oneLine(text: string): string {
  return text.replaceAll(CONTROLS, ' ').replaceAll(/\s+/gu, ' ').trim();
}
