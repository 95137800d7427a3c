interface ImportMetaEnv {
  /** Where the API is, when it is not `/api` on the page's own origin. */
  readonly VITE_API_URL?: string;
}

interface Window {
  /** The style nonce of this page's policy, under the name that goober reads. */
  __nonce__?: string;
}
