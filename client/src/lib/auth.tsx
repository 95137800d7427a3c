import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import toast from 'react-hot-toast';
import type {
  LoginBody,
  OidcExchangeBody,
  PasswordBody,
  ProfilePatch,
  RegisterBody,
  SignedIn,
  User,
} from 'server/contract';
import { call } from './api.ts';
import { ApiError, failureText } from './http.ts';
import { t } from './i18n.ts';
import { keys } from './query.ts';
import { wipePrivate } from './storage.ts';
import { jwtClaims, token } from './token.ts';

interface Auth extends ReturnType<typeof actionsOf> {
  user: User | null;
  token: string | null;
  isAuthenticated: boolean;
  isLoading: boolean;
  /** Loading, and at least one try found no server. */
  isOffline: boolean;
}

const PROFILE_RETRY_MIN_MS = 1_000;
const PROFILE_RETRY_MAX_MS = 5_000;

const AuthContext = createContext<Auth | null>(null);

/** Provides the signed-in user: loads the profile of a stored token, and clears the cache when the token is removed. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const bearer = useSyncExternalStore(token.subscribe, token.get);
  const profile = useQuery({
    queryKey: keys.profile,
    queryFn: async ({ signal }) => (await call('GET /auth/profile', { signal })).user,
    enabled: bearer !== null,
    staleTime: Number.POSITIVE_INFINITY,
    // Only a 401 means that the session has ended; all other failures are retried.
    retry: (_, error) => !(error instanceof ApiError && error.status === 401),
    retryDelay: (attempt) => Math.min(PROFILE_RETRY_MIN_MS * 2 ** attempt, PROFILE_RETRY_MAX_MS),
  });
  const user = bearer === null ? null : (profile.data ?? null);

  useCacheReset(bearer, user?._id, queryClient);

  const actions = useMemo(() => actionsOf(queryClient), [queryClient]);

  const isLoading = bearer !== null && user === null;
  const value = useMemo<Auth>(
    () => ({
      user,
      token: bearer,
      isAuthenticated: user !== null,
      isLoading,
      isOffline: isLoading && profile.failureCount > 0,
      ...actions,
    }),
    [user, bearer, isLoading, profile.failureCount, actions],
  );
  return <AuthContext value={value}>{children}</AuthContext>;
}

/** The signed-in user, and the actions that change them. */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}

/** What signs a user in and out, and changes their account; each says in a toast how it went. */
function actionsOf(queryClient: QueryClient) {
  const startSession = ({ user, token: fresh }: SignedIn) => {
    queryClient.clear();
    queryClient.setQueryData(keys.profile, user);
    token.set(fresh);
  };
  return {
    login: async (body: LoginBody) => {
      startSession(await withFailureToast(t('Login failed'), call('POST /auth/login', { body }), needsSecondStep));
      toast.success(t('Login successful!'));
    },
    /** @param arrive is called with where to go, before the session begins. Failures are for the page to show */
    signInByTicket: async (body: OidcExchangeBody, arrive: (path: string) => void | Promise<void>) => {
      const { returnTo, ...session } = await call('POST /auth/oidc/exchange', { body });
      await arrive(returnTo);
      startSession(session);
      toast.success(t('Login successful!'));
    },
    register: async (body: RegisterBody) => {
      startSession(await withFailureToast(t('Registration failed'), call('POST /auth/register', { body })));
      toast.success(t('Registration successful!'));
    },
    logout: async () => {
      const bearer = token.get();
      if (bearer === null) return;
      // Forget the session before the server answers: it may be slow, and the next user may already be at this computer.
      token.clear();
      wipePrivate();
      toast.success(t('Logged out successfully'));
      await call('POST /auth/logout', { bearer }).catch(() => undefined);
    },
    updateProfile: async (patch: ProfilePatch) => {
      const { user } = await withFailureToast(t('Update failed'), call('PUT /auth/profile', { body: patch }));
      queryClient.setQueryData(keys.profile, user);
      toast.success(t('Profile updated successfully'));
    },
    changePassword: async (body: PasswordBody) => {
      await withFailureToast(t('Password change failed'), call('PUT /auth/password', { body }));
      toast.success(t('Password changed successfully'));
    },
  };
}

/** Clears cached data when the account changes, in this tab or in another one. */
function useCacheReset(bearer: string | null, userId: string | undefined, queryClient: QueryClient): void {
  const last = useRef(userId);
  const lastBearer = useRef(bearer);
  const session = useRef(sessionOf(bearer));
  useEffect(() => {
    // Not on mount: public pages may have loaded data without an account.
    if (bearer === null && lastBearer.current !== null) queryClient.clear();
    lastBearer.current = bearer;
  }, [bearer, queryClient]);
  useEffect(
    () =>
      token.subscribe((from) => {
        const was = session.current;
        session.current = sessionOf(token.get());
        if (from !== 'elsewhere') return;
        // The user of a new session is not known yet. Until then nothing may be sent in the name of the previous one.
        if (was !== session.current) void queryClient.resetQueries({ queryKey: keys.profile });
        else void queryClient.invalidateQueries({ queryKey: keys.profile });
      }),
    [queryClient],
  );
  useEffect(() => {
    if (userId === undefined) return;
    if (last.current !== undefined && last.current !== userId) {
      queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.profile[0] });
    }
    last.current = userId;
  }, [userId, queryClient]);
}

/** Which session a token is of; a renewed token is of the same. */
function sessionOf(bearer: string | null): unknown {
  return bearer === null ? null : (jwtClaims(bearer).sid ?? bearer);
}

/** Whether a log-in was right so far and the account asks for its second step. */
export function needsSecondStep(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'TWO_FACTOR_REQUIRED';
}

/** Shows a failure in a toast and rethrows it; a `quiet` failure is only rethrown. */
async function withFailureToast<Data>(
  fallback: string,
  answer: Promise<Data>,
  quiet: (error: unknown) => boolean = () => false,
): Promise<Data> {
  try {
    return await answer;
  } catch (error) {
    if (!quiet(error)) toast.error(failureText(error, fallback));
    throw error;
  }
}
