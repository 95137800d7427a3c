import { useState } from 'react';
import { useKeys } from '../../features/chats/keyboard.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { onDemand } from '../../ui/onDemand.ts';

const sheet = onDemand(() => import('./HelpSheet.tsx'));

/** The sheet of all keys, brought up by `?`. */
export function Help() {
  const [open, setOpen] = useState(false);
  const loaded = sheet.usePart(open);
  useKeys({ '?': () => setOpen(true) });
  return (
    <Dialog open={open && loaded !== null} onOpenChange={setOpen} title="Keyboard shortcuts">
      {loaded && <loaded.HelpSheet onClose={() => setOpen(false)} />}
    </Dialog>
  );
}
