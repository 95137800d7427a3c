import { API_KEYS_MAX } from '#features/apikeys/contract';
import { ARTICLE_IMPORT_MAX_BYTES, ARTICLE_PAGES_MAX } from '#features/articles/contract';
import { ASSISTANT_ANSWER_MAX_LENGTH, ASSISTANT_ANSWERS_MAX, ASSISTANT_TESTS_MAX } from '#features/assistant/contract';
import { DEPARTMENTS_MAX } from '#features/departments/contract';
import { HISTORY_FILE_MAX_BYTES, HISTORY_MESSAGES_MAX } from '#features/imports/contract';
import { ATTRIBUTE_NAME_MAX_LENGTH, ATTRIBUTE_TEXT_MAX_LENGTH, ATTRIBUTES_MAX } from '#features/presence/contract';
import { PRE_CHAT_FIELDS_MAX } from '#features/sites/contract';
import { HOLIDAYS_MAX } from '#features/sites/hours/contract';
import { IDENTITY_TOKEN_MAX_HOURS } from '#features/visitors/contract';
import {
  WEBHOOK_ANSWER_MAX_S,
  WEBHOOK_EXCERPT_MAX_LENGTH,
  WEBHOOK_TRIED_HOURS,
  WEBHOOKS_MAX,
} from '#features/webhooks/contract';
import { LIMITS, type Limits, limitsTable } from '#platform/http';
import manifest from '../../../package.json' with { type: 'json' };
import type { DocEmbed, DocExamples, DocInstall, DocJavaScript, DocOverview, DocPage } from './contract.ts';
import { methodOf, parsePage, tutorialOf } from './markdown.ts';
import apiKeysText from './pages/api-keys.md?raw';
import assistantText from './pages/assistant.md?raw';
import departmentsText from './pages/departments.md?raw';
import embedText from './pages/embed-code.md?raw';
import examplesText from './pages/examples.md?raw';
import installText from './pages/install.md?raw';
import javascriptText from './pages/javascript-api.md?raw';
import moveInText from './pages/move-in.md?raw';
import overviewText from './pages/overview.md?raw';
import webhooksText from './pages/webhooks.md?raw';

const BYTES_OF_MB = 1024 * 1024;

/** What the placeholders of the pages stand for. */
const VALUES = {
  API_KEYS_MAX,
  ARTICLE_IMPORT_MB: ARTICLE_IMPORT_MAX_BYTES / BYTES_OF_MB,
  ARTICLE_PAGES_MAX,
  ASSISTANT_ANSWER_MAX_LENGTH,
  ASSISTANT_ANSWERS_MAX,
  ASSISTANT_QUESTIONS: LIMITS.assistantQuestionsPerVisitor.max,
  ASSISTANT_TESTS_MAX,
  ATTRIBUTE_NAME_MAX_LENGTH,
  ATTRIBUTE_TEXT_MAX_LENGTH,
  ATTRIBUTES_MAX,
  CALLS_PER_KEY: LIMITS.callsPerKey.max,
  DEPARTMENTS_MAX,
  HISTORY_FILE_MB: HISTORY_FILE_MAX_BYTES / BYTES_OF_MB,
  HISTORY_MESSAGES_MAX: HISTORY_MESSAGES_MAX.toLocaleString('en'),
  HOLIDAYS_MAX,
  IDENTITY_TOKEN_MAX_HOURS,
  PRE_CHAT_FIELDS_MAX,
  WEBHOOK_ANSWER_MAX_S,
  WEBHOOK_EXCERPT_MAX_LENGTH,
  WEBHOOK_TRIED_HOURS,
  WEBHOOKS_MAX,
};

const plain = (text: string): DocPage => {
  const { title, description, sections } = parsePage(text, VALUES);
  return { title, description, sections };
};

/** The first page, with the limits of this server in its last section. */
export function overview(limits: Limits): DocOverview {
  const { sections, ...page } = plain(overviewText);
  const withLimits = sections.map((section) =>
    section.id === 'limits' ? { ...section, table: limitsTable(limits) } : section,
  );
  return { ...page, version: manifest.version, sections: withLimits };
}

/** How programs use the REST API. */
export const apiKeys = () => plain(apiKeysText);

/** How to receive webhooks. */
export const webhooks = () => plain(webhooksText);

/** How to change over from another chat. */
export const moveIn = () => plain(moveInText);

/** How far the assistant goes, and what leaves the server. */
export const assistant = () => plain(assistantText);

/** Who is told of a chat, and when visitors find somebody. */
export const departments = () => plain(departmentsText);

/** How to put the widget on a page. */
export const embed = (): DocEmbed => ({ ...plain(embedText), parameters: parsePage(embedText, VALUES).parameters });

/** How to install the widget on many kinds of websites. */
export const install = (): DocInstall => ({
  ...plain(installText),
  platforms: listOf(installText, 'platforms').map(tutorialOf),
});

/** Complete examples. The steps of a tutorial run one after the other in one script. */
export const examples = (): DocExamples => ({
  ...plain(examplesText),
  tutorials: listOf(examplesText, 'tutorials').map(tutorialOf),
});

/** What a page can do with its widget. */
export const javascript = (): DocJavaScript => ({
  ...plain(javascriptText),
  methods: listOf(javascriptText, 'methods').map(methodOf),
  events: listOf(javascriptText, 'events').map(methodOf),
});

const listOf = (text: string, name: string) => parsePage(text, VALUES).lists.get(name) ?? [];
