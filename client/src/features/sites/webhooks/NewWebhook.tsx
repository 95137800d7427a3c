import { useState } from 'react';
import type { WebhookEvent } from 'server/contract';
import { Button } from '../../../ui/Button.tsx';
import { useAddWebhook } from './queries.ts';
import { SecretField } from './Secret.tsx';
import { WebhookForm } from './WebhookForm.tsx';

const USUAL: WebhookEvent[] = ['chat.opened', 'message.created'];

/** Adds a webhook, and then shows the secret that its program needs. */
export function NewWebhook({ siteId, onDone }: { siteId: string; onDone: () => void }) {
  const add = useAddWebhook(siteId);
  const [secret, setSecret] = useState<string | null>(null);
  if (secret === null)
    return (
      <WebhookForm
        values={{ url: '', events: USUAL }}
        submitLabel="Add webhook"
        onCancel={onDone}
        onSubmit={async (values) => setSecret((await add.mutateAsync(values)).secret)}
      />
    );
  return (
    <div className="flex flex-col gap-5 pt-4">
      <p>The webhook is on. Give its secret to your program, so that it can check what comes from Parley.</p>
      <SecretField secret={secret} />
      <div className="flex justify-end">
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
