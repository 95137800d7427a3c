export { disable, disableFor, notSetUp, type TwoFactorDeps } from './actions.ts';
export { createSecondFactor } from './secondFactor.ts';
