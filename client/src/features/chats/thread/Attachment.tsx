import { Download, FileText, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { PICTURE_TYPES, type Attachment as StoredFile } from 'server/contract';
import { formatBytes } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { PicturePreview, Upload } from '../model/timeline.ts';

/** The largest width and height of a picture in a thread. */
const PICTURE_MAX_PX = 320;
const FRAME = 'overflow-hidden rounded-bubble border bg-surface';

/** A stored file: a picture is shown, anything else is a card that downloads it. */
export function Attachment({ file }: { file: StoredFile }) {
  const [isBroken, setBroken] = useState(false);
  const { url, name, size, mime, width, height } = file;
  if (PICTURE_TYPES.includes(mime) && width && height && !isBroken) {
    return (
      <a href={url} target="_blank" rel="noopener noreferrer" className={`block max-w-full ${FRAME}`}>
        <SizedPicture picture={{ url, width, height }} name={name} onBroken={() => setBroken(true)} />
      </a>
    );
  }
  return (
    <a href={url} download={name} className={`group block max-w-full transition-colors hover:border-edge ${FRAME}`}>
      <span className="sr-only">{t('Download')} </span>
      <FileCard name={name} about={formatBytes(size)}>
        <Download size={16} aria-hidden className="shrink-0 text-muted group-hover:text-text" />
      </FileCard>
    </a>
  );
}

/** A file that is being sent, with its progress and a button to cancel it. */
export function UploadingFile({ upload, onCancel }: { upload: Upload; onCancel: () => void }) {
  const { file, picture, progress, failed } = upload;
  const percent = Math.round(progress * 100);
  return (
    <div className={`relative max-w-full ${FRAME}`}>
      {picture ? (
        <SizedPicture picture={picture} name={file.name} />
      ) : (
        <FileCard
          name={file.name}
          about={
            failed === null
              ? t('{percent} % of {size}', { percent, size: formatBytes(file.size) })
              : formatBytes(file.size)
          }
        >
          {failed === null && <span className="w-6" />}
        </FileCard>
      )}
      {failed === null && (
        <IconButton
          label={t('Cancel {name}', { name: file.name })}
          size="sm"
          className="absolute end-1.5 top-1.5 bg-surface"
          onClick={onCancel}
        >
          <X size={16} aria-hidden />
        </IconButton>
      )}
      {failed === null && (
        <div
          role="progressbar"
          aria-label={t('Sending {name}', { name: file.name })}
          aria-valuenow={percent}
          className="absolute inset-x-0 bottom-0 h-1 bg-line"
        >
          <div
            className="h-full origin-left bg-accent transition-transform rtl:origin-right"
            style={{ transform: `scaleX(${progress})` }}
          />
        </div>
      )}
    </div>
  );
}

/** Given its size before it is loaded, so that nothing moves then. */
function SizedPicture({ picture, name, onBroken }: { picture: PicturePreview; name: string; onBroken?: () => void }) {
  const scale = Math.min(1, PICTURE_MAX_PX / picture.width, PICTURE_MAX_PX / picture.height);
  return (
    <img
      src={picture.url}
      alt={t('Picture: {name}', { name })}
      width={Math.max(1, Math.round(picture.width * scale))}
      height={Math.max(1, Math.round(picture.height * scale))}
      loading="lazy"
      decoding="async"
      onError={onBroken}
      className="block h-auto max-w-full bg-line/50"
    />
  );
}

function FileCard({ name, about, children }: { name: string; about: string; children?: ReactNode }) {
  return (
    <span className="flex w-72 max-w-full items-center gap-3 px-3.5 py-3">
      <FileText size={20} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-medium">
          {name}
        </span>
        <span className="block text-xs text-muted tabular-nums">{about}</span>
      </span>
      {children}
    </span>
  );
}
