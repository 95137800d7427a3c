import { expect, it } from 'vitest';
import { makeChat } from '../../../test/make.ts';
import { chatClaimed, chatStarted } from './activity.ts';

it('isolates a right-to-left name from the sentence around it', () => {
  const chat = makeChat();
  chat.visitorInfo.name = 'محمد';
  expect(chatStarted(chat).message).toBe('\u2068محمد\u2069 started a chat on Oak and Line');
  const by = { _id: 'b', name: 'Ben Ito' };
  expect(chatClaimed(chat._id, chat, by, '').message).toBe('Ben Ito claimed the chat with \u2068محمد\u2069');
});
