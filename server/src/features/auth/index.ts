export {
  type AuthDeps,
  accountOf,
  type Browser,
  OperatorError,
  promote,
  resetLinkFor,
  type SignedIn,
  signIn,
  unprovedIn,
  updateProfile,
} from './actions.ts';
export { createEmailLinks, type EmailLinks } from './emailVerification.ts';
export { routeStaffEvents, type StaffRouter } from './gateway.ts';
export {
  bearer,
  type ConfirmDeps,
  confirm,
  confirmPassword,
  createSignedIn,
  type KeyCallers,
  outOfScope,
  type SecondFactor,
  type SignedInGuard,
} from './guards.ts';
export { guessKey } from './loginThrottle.ts';
export {
  hasPassword,
  NO_PASSWORD,
  type SessionDoc,
  SessionModel,
  type TwoFactorDoc,
  type UserDoc,
  UserModel,
  userCache,
} from './model.ts';
export { mustUsePasswords } from './passwordSignIn.ts';
export { createPasswords, type Passwords } from './passwords.ts';
export { PICTURE_BODY_LIMIT, pictureField, removePicture, storeFormPicture } from './pictures.ts';
export { mailPlatformAdmins, recipients } from './recipients.ts';
export { removeResetLinks } from './reset.ts';
export { browserOf } from './routes.ts';
export {
  codeField,
  confirmationIfNeeded,
  confirmationSchema,
  currentPasswordSchema,
  deviceSchema,
  emailField,
  profileSchema,
  secondStepSchema,
  signupSchema,
} from './schemas.ts';
export { type Caller, createSessions, type SessionCaller, type Sessions } from './sessions.ts';
export { createAccount, foundingCodeOf, requiredFoundingCode, signupRight } from './signup.ts';
export { deviceView, type Person, peopleById, userView } from './view.ts';
