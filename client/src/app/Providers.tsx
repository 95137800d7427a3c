import { QueryClientProvider } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { AuthProvider, useAuth } from '../lib/auth.tsx';
import { language, onLanguage } from '../lib/i18n.ts';
import { chooseLanguage } from '../lib/languages.ts';
import { createQueryClient } from '../lib/query.ts';
import { Toasts } from '../ui/Toasts.tsx';

/** The providers that every screen needs. */
export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <AuthProvider>
        <InOwnLanguage>{children}</InOwnLanguage>
        <Toasts />
      </AuthProvider>
    </QueryClientProvider>
  );
}

/**
 * Shows the language of the signed-in user, and renders everything again in another one; drafts and unsent messages are kept
 * outside the screens. Only the tab in which a language is chosen changes at once: a form may be half filled in others.
 */
function InOwnLanguage({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  const shown = useSyncExternalStore(onLanguage, language);
  const userId = user?._id;
  const follow = useEffectEvent(() => void chooseLanguage(user?.language));
  useEffect(() => {
    if (userId) follow();
  }, [userId]);
  return <Fragment key={shown}>{children}</Fragment>;
}
