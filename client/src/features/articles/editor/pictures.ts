import { type RefObject, useEffect, useState } from 'react';
import toast from 'react-hot-toast';
import { type Api, FILE_MAX_BYTES } from 'server/contract';
import { formatBytes } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { upload } from '../../../lib/upload.ts';
import { showFailure } from '../../../ui/failureToast.tsx';
import { applyEdit, replaceIn } from './markdown.ts';
import type { Saver } from './saver.ts';

/** A picture that is being uploaded. */
export interface Upload {
  token: string;
  name: string;
  /** 0 to 1 */
  share: number;
}

let last = 0;

/** Uploads pictures into a text. A placeholder is inserted at once; deleting it cancels the upload. */
export function usePictures(articleId: string, field: RefObject<HTMLTextAreaElement | null>, saver: Saver) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [running] = useState(() => new Set<AbortController>());
  useEffect(
    () => () => {
      for (const each of running) each.abort();
    },
    [running],
  );

  const replace = (token: string, text: string) => {
    saver.pending.delete(token);
    setUploads((all) => all.filter((each) => each.token !== token));
    const at = field.current?.value.indexOf(token) ?? -1;
    if (field.current && at >= 0) replaceIn(field.current, at, at + token.length, text);
  };
  const send = async (file: File) => {
    const area = field.current;
    if (!area) return;
    if (file.size > FILE_MAX_BYTES) {
      const size = formatBytes(FILE_MAX_BYTES);
      toast.error(t('{name} is too large. Pictures have at most {size}.', { name: file.name, size }));
      return;
    }
    last += 1;
    const alt = file.name.replace(/\.\w+$/, '').replace(/[[\]\\]/g, ' ');
    const token = `![${alt}](uploading:${last})`;
    saver.pending.add(token);
    setUploads((all) => [...all, { token, name: file.name, share: 0 }]);
    const end = new AbortController();
    running.add(end);
    const { selectionStart: from, selectionEnd: to } = area;
    // On a line of its own.
    const placed = /[^\n]$/.test(area.value.slice(0, from)) ? `\n\n${token}` : token;
    applyEdit(area, { from, to, text: placed, select: [from + placed.length, from + placed.length] });
    try {
      const query = new URLSearchParams({ name: file.name });
      const { url } = await upload<Api['POST /articles/:id/pictures']['data']>(
        `/articles/${articleId}/pictures?${query}`,
        file,
        {
          onProgress: (share) =>
            setUploads((all) => all.map((each) => (each.token === token ? { ...each, share } : each))),
          signal: end.signal,
        },
      );
      replace(token, `![${alt}](${url})`);
    } catch (error) {
      replace(token, '');
      if (!end.signal.aborted)
        showFailure(error, t('{name} could not be added.', { name: file.name }), () => void send(file));
    } finally {
      running.delete(end);
    }
  };
  /** @returns whether there were pictures among the files */
  const add = (files: Iterable<File>): boolean => {
    const pictures = [...files].filter(({ type }) => type.startsWith('image/'));
    for (const file of pictures) void send(file);
    return pictures.length > 0;
  };
  return { uploads, add };
}
