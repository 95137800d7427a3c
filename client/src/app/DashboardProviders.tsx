import type { ReactNode } from 'react';
import { SocketProvider, type StaffSocket } from '../lib/socket.tsx';
import { AlertProvider } from '../ui/AlertDialog.tsx';

/** The providers that only the dashboard needs, so the public pages do not load them. Tests pass `open` to use their own socket. */
export function DashboardProviders({ children, open }: { children: ReactNode; open?: () => StaffSocket }) {
  return (
    <SocketProvider {...(open && { open })}>
      <AlertProvider>{children}</AlertProvider>
    </SocketProvider>
  );
}
