export { sealedIdentitySecrets } from './0002-sealed-identity-secrets.ts';
export { readSchema, refusesEarlier, requireReadable, requireSchema, SCHEMA, type SchemaDoc } from './schema.ts';
export type { StepContext } from './step.ts';
export { DATA_VERSION } from './steps.ts';
export { upgradeData, upgradeLater } from './upgrade.ts';
