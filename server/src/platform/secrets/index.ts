export { createSecretBox, type SecretBox } from './secretBox.ts';
export { readOrCreateSecret, sha256, uuidOf } from './secrets.ts';
