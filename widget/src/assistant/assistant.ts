import type { PartContext } from '../chat/context.ts';
import { prepare, robot } from './answer.ts';
import { createHelped } from './helped.ts';
import { createPerson } from './person.ts';
import { createSpeech } from './speech.ts';
import { createStream } from './stream.ts';

export { formatted } from './answer.ts';

/** Within this distance, in pixels, the list counts as scrolled to the end. */
const NEAR_PX = 48;

/**
 * The site's automatic assistant: who it is, and the way to a person, in the panel's header; below the conversation, the answer on
 * its way, and whether the last one helped. Once a person takes over, nothing of it is left but its answers.
 */
export async function start(context: PartContext) {
  const { host, panel, signal, storage, store } = context;
  const texts = await prepare(context);
  const { el } = host.dom;
  const list = panel.node.querySelector('.list') as HTMLElement;
  const speech = createSpeech(context, list);
  const stream = createStream(context, texts, speech);
  const helped = createHelped(context, texts, speech);
  const person = createPerson(context, texts);
  const name = el('div', 'title');
  const way = el('button', 'person', { type: 'button' }, texts.person);
  const words = el('div', '', { id: 'assistant' }, name, texts.intro);
  const bar = el('div', 'assistant', { hidden: '' }, robot(host), words, way);
  /** The open chat, and the newest message in it that was there or was read. */
  let chatId: string | undefined;
  let seen = 0;

  way.onclick = person.want;
  panel.node.querySelector('header')?.append(bar);
  list.append(stream.node, helped.node);
  storage.watch((key) => /person|helped/.test(key) && panel.render(), signal);

  function render(): void {
    const { chat, config, messages, pending } = store.state;
    const open = chat && chat.status !== 'closed' ? chat : null;
    const own = messages.filter((message) => message.chatId === open?._id);
    const isHanded = own.some(({ event }) => event === 'handed_over');
    const isAssisted = Boolean(open?.assistant) && !open?.agent && !isHanded;
    const isWanted = storage.read('person') !== '';
    const isActive = !isWanted && (open ? isAssisted : Boolean(config.assistant));
    const called = (open?.assistant ?? config.assistant)?.name || texts.name;
    const isNear = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX;
    const wasHidden = bar.hidden;
    const unnamed = messages.filter(({ sender, senderName }) => sender === 'assistant' && !senderName);
    const newest = own[own.length - 1];

    if (isActive) speech.turn(true);
    name.textContent = called;
    bar.hidden = !isActive;
    panel.node.classList.toggle('assisted', isActive);
    // Who writes hears it, too.
    panel.composer.input.setAttribute('aria-describedby', isActive ? words.id : '');
    stream.render(isActive ? open : null, called);
    if (open?._id !== chatId) seen = newest?.seq ?? 0;
    chatId = open?._id;
    for (const message of own) {
      const { sender, seq, text } = message;
      if (seq <= seen || sender === 'visitor') continue;
      const read = sender === 'assistant' ? stream.end(message) : '';
      speech.say(text.replace(read.trimEnd(), ''));
    }
    seen = newest?.seq ?? 0;
    const isAnswered = isActive && newest?.sender === 'assistant' && pending.length === 0 && stream.node.hidden;
    helped.render(isAnswered ? newest : null);
    if (!isActive) speech.turn(false);
    if (isNear) list.scrollTop = list.scrollHeight;
    person.render(open, isAssisted, isHanded, isWanted);
    for (const message of unnamed) message.senderName = called;
    // The header is higher or lower now, or messages have got a name.
    if (wasHidden !== bar.hidden || unnamed.length > 0) panel.render();
  }

  return { render };
}
