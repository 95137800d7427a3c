declare module '../bus.ts' {
  interface Facts {
    /** The account and what was kept of it are gone. */
    accountDeleted: { userId: string };
  }
}

export {};
