import { waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { createUploads } from './uploads.ts';

it('releases a preview that was ready only after the picture was sent', async () => {
  const [made, letGo] = [vi.fn(() => 'blob:photo'), vi.fn()];
  vi.stubGlobal('URL', Object.assign(class extends URL {}, { createObjectURL: made, revokeObjectURL: letGo }));
  let draw: (bitmap: object) => void = () => undefined;
  vi.stubGlobal('createImageBitmap', () => new Promise((resolve) => (draw = resolve)));
  const uploads = createUploads(() => Promise.resolve());
  uploads.add('chat', [new File(['x'], 'photo.png', { type: 'image/png' })]);
  await waitFor(() => expect(uploads.list('chat')).toEqual([]));
  draw({ width: 4, height: 3, close: () => undefined });
  await waitFor(() => expect(made).toHaveBeenCalledOnce());
  expect(letGo).toHaveBeenCalledExactlyOnceWith('blob:photo');
});
