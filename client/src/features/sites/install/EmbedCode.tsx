import { Fragment } from 'react';
import { embedCode } from 'server/contract';
import { CopyButton } from '../../../ui/CopyButton.tsx';

/** The script tag to paste into the site's pages, ready to be copied. */
export function EmbedCode({ widgetCode }: { widgetCode: string | undefined }) {
  const code = embedCode(location.origin, widgetCode);
  return (
    <div className="@container">
      <div className="flex flex-col items-start gap-3 rounded-card border bg-text/3 p-4 @lg:flex-row">
        <pre
          dir="ltr"
          className="min-w-0 flex-1 py-1.5 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere select-all"
        >
          <code>
            {code.split(' ').map((word, index) => (
              <Fragment key={word}>
                {index > 0 && ' '}
                <span className="inline-block max-w-full">{word}</span>
              </Fragment>
            ))}
          </code>
        </pre>
        <CopyButton text={code} />
      </div>
    </div>
  );
}
