import type { ApiKeyScope } from '#features/apikeys/contract';
import type { InputSchema } from './validate.ts';

/** Who may make a call: everybody, signed-in people, or a visitor's widget. */
export type Audience = 'anyone' | 'staff' | 'visitor';

/** A call as registered: the OpenAPI document, and tests that cover every call, are made from these. */
export interface RegisteredCall {
  audience: Audience;
  /** What an API key needs for it; undefined: it is not open to API keys. */
  scope?: ApiKeyScope | undefined;
  body?: InputSchema | undefined;
  query?: InputSchema | undefined;
  /** The media types, where the answer is a file. */
  files?: readonly string[] | undefined;
  /** Whether the body is a file. */
  upload?: boolean | undefined;
}

/** All registered calls, by name; filled while the application is built. */
export const catalogue = {
  calls: new Map<string, RegisteredCall>(),
  staffEvents: new Map<string, InputSchema>(),
  visitorEvents: new Map<string, InputSchema>(),
};
