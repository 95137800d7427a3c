import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { API_KEYS_MAX } from 'server/contract';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ListSection } from '../../../ui/ListSection.tsx';
import { ApiKeyRow } from './ApiKeyRow.tsx';
import { useApiKeys } from './api.ts';
import { NewApiKey } from './NewApiKey.tsx';

/** The API keys of the user, and how to get one. */
export function ApiKeys() {
  const list = useApiKeys();
  const [adding, setAdding] = useState(false);
  const isEmpty = list.data?.length === 0;
  const add = (
    <Button variant="secondary" onClick={() => setAdding(true)}>
      <Plus size={18} aria-hidden />
      {t('Create API key')}
    </Button>
  );
  return (
    <>
      <ListSection
        id="api-keys"
        title={t('API keys')}
        text={
          <>
            {t('With a key, a program of yours can do what you can do on your websites.')}{' '}
            <Link to="/docs?tab=api-keys" className="font-medium text-accent hover:text-accent-strong">
              {t('How to use API keys')}
            </Link>
          </>
        }
        list={list}
        loading={t('Loading API keys')}
        failure={t('Your API keys could not be loaded.')}
        full={t('You can have up to {max} API keys. Revoke one to create another.', { max: API_KEYS_MAX })}
        max={API_KEYS_MAX}
        add={!isEmpty && add}
      >
        {(apiKeys) =>
          isEmpty ? (
            <div className="rounded-card border bg-surface">
              <EmptyState
                icon={KeyRound}
                title={t('No API keys yet')}
                text={t('Create one for each program, so that you can revoke them one by one.')}
                action={add}
              />
            </div>
          ) : (
            <ul aria-labelledby="api-keys" className="flex flex-col divide-y rounded-card border bg-surface">
              {apiKeys.map((apiKey) => (
                <ApiKeyRow key={apiKey._id} apiKey={apiKey} />
              ))}
            </ul>
          )
        }
      </ListSection>
      <Dialog open={adding} onOpenChange={setAdding} title={t('Create API key')}>
        <NewApiKey onDone={() => setAdding(false)} />
      </Dialog>
    </>
  );
}

/** Says beside the form for a new password that it ends no API key. */
export function KeysOutlast() {
  const { data: apiKeys = [] } = useApiKeys();
  if (apiKeys.length === 0) return null;
  return (
    <p className="text-muted">
      {plural(
        apiKeys.length,
        'Your API key keeps working with a new password. If you do not trust it any more, revoke it.',
        'Your {count} API keys keep working with a new password. If you do not trust one any more, revoke it.',
      )}
    </p>
  );
}
