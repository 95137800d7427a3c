declare module '../bus.ts' {
  interface Facts {
    twoFactorEnabled: { userId: string };
    twoFactorDisabled: { userId: string };
    recoveryCodesChanged: { userId: string };
    recoveryCodeUsed: { userId: string };
  }
}

export {};
