import { Download, ExternalLink } from 'lucide-react';
import type { Site } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { useChatPage } from '../api.ts';

/** The address of the page with nothing but the site's chat, and its QR code as a file. */
export function ChatPage({ site, active }: { site: Site; active: boolean }) {
  const { data: page, isError, refetch } = useChatPage(site, active);
  return (
    <section aria-labelledby="chat-page" className="flex flex-col gap-3 border-t pt-6">
      <div>
        <h2 id="chat-page" className="text-base font-semibold">
          {t('Chat page')}
        </h2>
        <p className="pt-1 text-muted">
          {t(
            'A page with nothing but your chat: for links in mails and social networks, and as a QR code on signs and receipts.',
          )}{' '}
          {!site.widgetEnabled && t('It works as soon as you enable the widget on the Sites screen.')}
        </p>
      </div>
      {isError ? (
        <p className="flex flex-wrap items-center gap-3">
          {t('The server did not answer.')}
          <Button variant="secondary" size="sm" onClick={() => refetch()}>
            {t('Try again')}
          </Button>
        </p>
      ) : (
        <div className="flex min-h-44 flex-wrap items-start gap-4 rounded-card border bg-surface p-4">
          {page && (
            <>
              <img
                src={page.svg}
                alt={t('QR code of the chat page')}
                width={144}
                height={144}
                className="rounded-card bg-white"
              />
              <div className="flex min-w-0 flex-1 basis-64 flex-col items-start gap-3">
                <a
                  href={page.url}
                  target="_blank"
                  rel="noopener"
                  dir="ltr"
                  className="max-w-full font-medium wrap-anywhere text-accent hover:underline"
                >
                  {page.url}
                  <ExternalLink size={14} aria-hidden className="ms-1.5 inline" />
                  <span className="sr-only">{t('(in a new tab)')}</span>
                </a>
                <div className="flex flex-wrap gap-2">
                  <CopyButton text={page.url} label={t('Copy link')} />
                  {(['svg', 'png'] as const).map((format) => (
                    <Button key={format} variant="secondary" size="sm" asChild>
                      <a href={page[format]} download={`chat-${site.domain}.${format}`}>
                        <Download size={16} aria-hidden />
                        {t('QR code as {format}', { format: format.toUpperCase() })}
                      </a>
                    </Button>
                  ))}
                </div>
              </div>
            </>
          )}
        </div>
      )}
    </section>
  );
}
