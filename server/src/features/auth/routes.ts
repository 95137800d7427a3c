import type { Request, Router } from 'express';
import { addressKey, anyone, endpoints, notFound } from '#platform/http';
import { type AuthDeps, type Browser, changePassword, login, updateProfile } from './actions.ts';
import type { AuthApi } from './contract.ts';
import { confirmEmail, resendVerification } from './emailVerification.ts';
import type { SignedInGuard } from './guards.ts';
import type { UserDoc } from './model.ts';
import { PICTURE_BODY_LIMIT } from './pictures.ts';
import { requestReset, resetPassword } from './reset.ts';
import {
  confirmEmailSchema,
  forgotSchema,
  loginSchema,
  passwordSchema,
  profileSchema,
  registerSchema,
  resetSchema,
} from './schemas.ts';
import { register, requiredFoundingCode } from './signup.ts';
import { deviceView, userView } from './view.ts';

const LINK_MAILED = 'If an account has this address, we have sent it a link to set a new password.';
const NO_MAIL =
  'This server cannot send mail. Ask its administrator for a link (npm run admin -- reset-password EMAIL).';

/** Several times what a form of strangers has: a larger body is refused before it is read. */
const FORM_LIMIT = '16kb';

/** The REST calls of accounts and sessions. */
export function authRoutes(deps: AuthDeps & { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<AuthApi>();
  const authenticate = deps.signedIn;
  const viewOf = (user: UserDoc) => userView(user, deps.mail);

  on(
    'POST /auth/register',
    { authenticate: anyone, bodyLimit: FORM_LIMIT, body: registerSchema },
    async ({ body, req }) => {
      const { user, token } = await register(deps, body, browserOf(req));
      return { status: 201, message: 'Registration successful!', data: { user: viewOf(user), token } };
    },
  );

  on('GET /auth/registration', { authenticate: anyone }, async () => ({
    data: { needsFoundingCode: (await requiredFoundingCode(deps.foundingCode)) !== null },
  }));

  on('POST /auth/login', { authenticate: anyone, bodyLimit: FORM_LIMIT, body: loginSchema }, async ({ body, req }) => {
    const { user, token } = await login(deps, body, browserOf(req));
    return { message: 'Login successful!', data: { user: viewOf(user), token } };
  });

  on(
    'POST /auth/forgot',
    { authenticate: anyone, bodyLimit: FORM_LIMIT, body: forgotSchema },
    async ({ body, req }) => {
      await requestReset(deps, body.email, browserOf(req).address);
      const mailed = deps.mail.enabled;
      return { message: mailed ? LINK_MAILED : NO_MAIL, data: { mailed } };
    },
  );

  on('POST /auth/reset', { authenticate: anyone, bodyLimit: FORM_LIMIT, body: resetSchema }, async ({ body }) => {
    await resetPassword(deps, body);
    return { message: 'Your password was changed. Please log in.', data: {} };
  });

  on('POST /auth/email/link', { authenticate }, async ({ caller: { user } }) => {
    await resendVerification(deps, user);
    return { data: { to: user.email } };
  });

  on(
    'POST /auth/email/confirm',
    { authenticate: anyone, bodyLimit: FORM_LIMIT, body: confirmEmailSchema },
    async ({ body }) => ({
      data: { email: await confirmEmail(deps, body.token) },
    }),
  );

  on('GET /auth/profile', { authenticate }, async ({ caller }) => ({ data: { user: viewOf(caller.user) } }));

  on(
    'PUT /auth/profile',
    { authenticate, body: profileSchema, bodyLimit: PICTURE_BODY_LIMIT },
    async ({ caller, body }) => {
      const user = await updateProfile(deps, caller, body);
      return { message: 'Profile updated successfully', data: { user: viewOf(user) } };
    },
  );

  on('PUT /auth/password', { authenticate, body: passwordSchema }, async ({ caller, body }) => {
    await changePassword(deps, caller, body);
    return { message: 'Password changed successfully', data: {} };
  });

  on('POST /auth/refresh', { authenticate }, async ({ caller }) => {
    const token = await deps.sessions.refresh(caller);
    return { data: { user: viewOf(caller.user), token } };
  });

  on('POST /auth/logout', { authenticate }, async ({ caller }) => {
    await deps.sessions.end(caller.user._id, caller.sessionId, 'signed_out');
    return { message: 'Logged out successfully', data: {} };
  });

  on('GET /auth/sessions', { authenticate }, async ({ caller }) => {
    const sessions = await deps.sessions.list(caller.user);
    return { data: { sessions: sessions.map((session) => deviceView(session, caller.sessionId)) } };
  });

  on('DELETE /auth/sessions/:id', { authenticate }, async ({ caller, params }) => {
    if (!(await deps.sessions.end(caller.user._id, params.id, 'signed_out'))) throw notFound('session');
    return { data: {} };
  });

  return router;
}

/** Where a request comes from. */
export function browserOf(req: Request): Browser {
  return { address: addressKey(req.ip), userAgent: req.get('user-agent') };
}
