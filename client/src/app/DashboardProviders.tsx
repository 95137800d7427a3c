import type { ReactNode } from 'react';
import { SocketProvider, type StaffSocket } from '../lib/socket.tsx';
import { AlertProvider } from '../ui/AlertDialog.tsx';

/** What only the dashboard stands on, and the public pages need not load. Tests pass `open` to bring their own socket. */
export function DashboardProviders({ children, open }: { children: ReactNode; open?: () => StaffSocket }) {
  return (
    <SocketProvider {...(open && { open })}>
      <AlertProvider>{children}</AlertProvider>
    </SocketProvider>
  );
}
