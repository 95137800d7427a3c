import { setTimeout as sleep } from 'node:timers/promises';
import { createActions } from './actions.js';
import { EARLIER } from './earlier.js';
import { LATER } from './later.js';
import { OPEN } from './open.js';
import { READ, SORTING } from './reading.js';
import { setUp } from './setUp.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Everybody works at least so often: sessions end when they are not used for a day. */
const SHIFT_MS = DAY_MS / 2;
const WEEK_DAYS = 7;
/** As long as the assistant has a chat of the week; the last one it keeps. */
const ASSISTED_MS = 10 * MINUTE_MS;
const BUSY = 503;
const TRIES_MAX = 20;
const AGAIN_AFTER_MS = 1_000;
/** What an ordinary browser says it is: without one, a visitor counts as a machine. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

/**
 * Plays a week of a shop on an empty server whose clock can be set, up to this moment: everything through the calls of dashboard and
 * widget, in the order in which it happened.
 * @returns the website
 */
export async function playWeek({ origin, setTime, shop }) {
  const now = Date.now();
  const call = callsOf(`${origin}/api`);
  await setTime(now - WEEK_DAYS * DAY_MS);
  const { team, site } = await setUp({ call, shop });
  const { act, beginChat, setAssistant, readArticle, sortQuestions, allDone } = createActions({
    call,
    team,
    site,
    shopUrl: shop.url,
    now,
  });

  const moments = [];
  const plan = (time, happen) => moments.push({ time, happen });
  for (let time = now - WEEK_DAYS * DAY_MS; time < now; time += SHIFT_MS)
    for (const { token } of Object.values(team)) plan(time, () => call('GET', '/auth/profile', undefined, { token }));
  for (const one of READ) plan(timeOf(one, now), () => readArticle(one));
  plan(timeOf(SORTING, now), () => sortQuestions(SORTING.kept));
  for (const one of [...EARLIER, ...LATER, ...OPEN]) {
    const chat = beginChat(one);
    let time = timeOf(one, now);
    if (one.assistant) plan(time - 1, () => setAssistant('answer'));
    if (one.assistant && one.day) plan(time + ASSISTED_MS, () => setAssistant('suggest'));
    for (const [minutes, who, what] of one.lines) {
      time += minutes * MINUTE_MS;
      plan(time, () => act(chat, who, what));
    }
  }
  // The sort is stable: what happens in the same minute stays in its order.
  let ahead = Number.NEGATIVE_INFINITY;
  for (const { time, happen } of moments.sort((a, b) => a.time - b.time)) {
    // The clock runs on, and never goes back.
    if (time - Date.now() > ahead) {
      ahead = time - Date.now();
      await setTime(time);
    }
    await happen();
  }
  await allDone();
  return site;
}

/** @param ago minutes before now @param day days before today, at the time `at` of the wall clock */
function timeOf({ ago, day, at }, now) {
  if (ago !== undefined) return now - ago * MINUTE_MS;
  const [hour, minute] = at.split(':').map(Number);
  const time = new Date(now - day * DAY_MS);
  return time.setHours(hour, minute, 0, 0);
}

/** Makes calls of the API. @returns a function that gives the data of the answer */
function callsOf(api) {
  return async (method, path, body, { token, userAgent = BROWSER, type = 'application/json' } = {}) => {
    const headers = {
      'Content-Type': type,
      'User-Agent': userAgent,
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    const sent = type === 'application/json' ? JSON.stringify(body) : body;
    for (let tries = 1; ; tries++) {
      const response = await fetch(`${api}${path}`, { method, headers, body: sent });
      const { success, data, message } = await response.json();
      if (success) return data;
      // On a machine that is busy with other things.
      if (response.status !== BUSY || tries === TRIES_MAX) throw new Error(`${method} ${path}: ${message}`);
      await sleep(AGAIN_AFTER_MS);
    }
  };
}
