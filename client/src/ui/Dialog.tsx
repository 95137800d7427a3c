import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode, SyntheticEvent } from 'react';
import { t } from '../lib/i18n.ts';
import { useFocusBefore } from './focusBefore.ts';
import { IconButton } from './IconButton.tsx';
import { isInToast } from './Toasts.tsx';

/** Whether a dialog is open, which whoever draws it decides. */
export interface DialogState {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

interface DialogProps extends DialogState {
  title: string;
  /** A sentence below the title. */
  text?: ReactNode;
  /** Stands beside the title's close button. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A dialog. React events bubble through portals, so a form in it must not submit a form around it. */
function Frame({ className, open, onOpenChange, children }: DialogProps & { className: string }) {
  const focus = useFocusBefore();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
        <Radix.Content
          aria-describedby={undefined}
          {...focus}
          // The button of a toast is pressed beside a dialog, not to leave it.
          onInteractOutside={(event) => isInToast(event.target) && event.preventDefault()}
          onSubmit={(event: SyntheticEvent) => event.stopPropagation()}
          className={className}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A window with something to fill in or to choose. Closed, it keeps nothing. */
export function Dialog(props: DialogProps) {
  return (
    <Window
      {...props}
      className="fixed inset-x-4 top-1/2 z-50 mx-auto max-h-[calc(100dvh-2rem)] max-w-md -translate-y-1/2 overflow-y-auto rounded-card border bg-raised p-6 shadow-float"
    />
  );
}

/** A window with a few choices; on phones it comes up from the bottom, in reach of the thumb. */
export function Sheet(props: DialogProps) {
  return (
    <Window
      {...props}
      className="fixed inset-x-0 bottom-0 z-50 mx-auto max-h-[85dvh] max-w-md animate-fade overflow-y-auto rounded-t-card border bg-raised p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-float md:inset-x-4 md:top-1/2 md:bottom-auto md:max-h-[calc(100dvh-2rem)] md:-translate-y-1/2 md:rounded-card md:p-6"
    />
  );
}

function Window(props: DialogProps & { className: string }) {
  return (
    <Frame {...props}>
      <Radix.Title className="pe-8 text-base font-semibold wrap-anywhere">{props.title}</Radix.Title>
      {props.text && <p className="pt-1 wrap-anywhere text-muted">{props.text}</p>}
      {props.children}
      {/* Last, so that the initial focus is in the content. */}
      <Radix.Close asChild>
        <IconButton label={t('Dismiss')} className="absolute! top-4 end-3">
          <X size={18} aria-hidden />
        </IconButton>
      </Radix.Close>
    </Frame>
  );
}

/** A panel at the right edge, over the screen; full screen on phones. */
export function SidePanel(props: DialogProps) {
  return (
    <Frame
      {...props}
      className="fixed inset-y-0 end-0 z-50 flex w-full max-w-lg animate-fade flex-col border-s bg-surface shadow-float"
    >
      <div className="flex shrink-0 items-start gap-1 border-b py-3 pe-2 ps-5 sm:pe-3">
        <div className="min-w-0 flex-1 py-2">
          <Radix.Title className="truncate text-base font-semibold">{props.title}</Radix.Title>
          {props.text && <p className="truncate text-muted">{props.text}</p>}
        </div>
        {props.actions}
        <Radix.Close asChild>
          <IconButton label={t('Close')}>
            <X size={18} aria-hidden />
          </IconButton>
        </Radix.Close>
      </div>
      {props.children}
    </Frame>
  );
}
