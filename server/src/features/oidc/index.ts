export { createOidc, type Oidc } from './provider.ts';
