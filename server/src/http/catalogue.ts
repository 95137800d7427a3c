import type { InputSchema } from './validate.ts';

/** Who a call is for: everybody, signed-in people, or the widget of a visitor. */
export type Audience = 'anyone' | 'staff' | 'visitor';

/** A call as it was wired: what documents and tests of all calls are made from. */
export interface WiredCall {
  audience: Audience;
  body?: InputSchema | undefined;
  query?: InputSchema | undefined;
  /** Set where the answer is a file: its media types. */
  files?: readonly string[] | undefined;
  /** The body is a file. */
  upload?: boolean | undefined;
}

/** Everything that is wired, by name; filled while the application is put together. */
export const catalogue = {
  calls: new Map<string, WiredCall>(),
  staffEvents: new Map<string, InputSchema>(),
  visitorEvents: new Map<string, InputSchema>(),
};
