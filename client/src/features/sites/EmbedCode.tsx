import { embedCode } from 'server/contract';
import { CopyButton } from '../../ui/CopyButton.tsx';

/** The script tag to paste into the site's pages, ready to be copied. */
export function EmbedCode({ widgetCode }: { widgetCode: string | undefined }) {
  const code = embedCode(location.origin, widgetCode);
  return (
    <div className="@container">
      <div className="flex flex-col items-start gap-3 rounded-card border bg-text/3 p-4 @lg:flex-row">
        <pre className="min-w-0 flex-1 py-1.5 font-mono text-xs leading-5 break-all whitespace-pre-wrap select-all">
          <code>{code}</code>
        </pre>
        <CopyButton text={code} />
      </div>
    </div>
  );
}
