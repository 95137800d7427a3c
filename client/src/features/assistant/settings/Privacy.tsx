import { Link } from 'react-router-dom';
import type { AssistantState, AssistantStep } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { rich } from '../../../lib/rich.ts';

const docs = (words: string) => (
  <Link to={paths.assistantDocs} className="font-medium text-accent hover:text-accent-strong">
    {words}
  </Link>
);

/** Which model there is, what it is sent, and what is missing without one. */
export function Privacy({ state: { model, step } }: { state: AssistantState }) {
  return (
    <section
      aria-labelledby="assistant-privacy"
      className="flex max-w-2xl flex-col gap-2 rounded-card border bg-surface p-4"
    >
      <h2 id="assistant-privacy" className="font-medium">
        {t('What is sent where')}
      </h2>
      {model === null ? (
        <NoModel step={step} />
      ) : (
        <>
          <p className="text-muted">
            {rich('The model of this server is <b>{model}</b>. Whoever operates the server has chosen it.', {
              model,
              b: (words) => <bdi className="font-medium text-text">{words}</bdi>,
            })}
          </p>
          <p className="text-muted">
            {t(
              'It is sent the last messages of the chat in question, without numbers of cards and phones and without mail addresses, and published articles. Never notes, attributes of visitors or other chats.',
            )}{' '}
            {docs(t('How the assistant works'))}
          </p>
        </>
      )}
    </section>
  );
}

function NoModel({ step }: { step: AssistantStep }) {
  return (
    <>
      {step === 'answer' && (
        <p className="rounded-control bg-waiting-soft px-3 py-2 text-waiting">
          {t('This server has no model, so people answer all chats.')}
        </p>
      )}
      <p className="text-muted">
        {t('Nothing leaves this server: it has no model. Links and suggestions work without one.')}{' '}
        {rich('Whoever operates the server can <docs>set one up</docs>.', { docs })}
      </p>
    </>
  );
}
