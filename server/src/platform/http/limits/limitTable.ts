import { DAY_S, HOUR_S, MINUTE_S } from '#platform/time';
import { ARTICLE_LIMITS } from './articleLimits.ts';
import { ASSISTANT_LIMITS } from './assistantLimits.ts';
import { AUTH_LIMITS } from './authLimits.ts';
import { GB, type Limit, MB, rate, total } from './limitRow.ts';

/**
 * Everything that may be sent, opened or stored, in one place. docs/limits.md and /docs are made from this table
 * (`npx vitest run --project server server/src/platform/http/limits/limits.test.ts -u` writes the file); `LIMITS` in the environment
 * changes its numbers.
 */
export const LIMITS = {
  ...AUTH_LIMITS,
  visitorPerIp: {
    ...rate(30, 'new visitors', MINUTE_S, 'address'),
    why: 'A school or a mobile network has many people behind one address. Visitors who come back do not count.',
  },
  visitorPerIpAndDay: {
    ...rate(3_000, 'new visitors', 24 * HOUR_S, 'address'),
    why: 'Thirty a minute for a whole day would be forty thousand useless rows. A visitor takes about 16 kB at most (29 kB in scripts with three bytes a character), and is deleted after a week away without a message.',
  },
  returnsPerVisitor: {
    ...rate(30, 'returns', MINUTE_S, 'visitor'),
    why: 'Opening a page is a return. Changes are stored, and the team sees them.',
  },
  pagesPerVisitor: {
    ...rate(60, 'pages', MINUTE_S, 'visitor'),
    why: 'The same for pages that change their address without a reload.',
  },
  returnsPerAddress: {
    ...rate(600, 'returns and pages of visitors', MINUTE_S, 'address'),
    why: 'An address can create many visitors, and each return may be stored. It is enough for two hundred people behind one address with three pages a minute each.',
  },
  unknownTokensPerIp: {
    ...rate(300, 'unknown visitor tokens', MINUTE_S, 'address'),
    why: 'Each token is looked up. Deleted visitors come back with such tokens, too.',
  },
  visitorMessages: {
    ...rate(20, 'messages', 10, 'visitor'),
    why: 'Nobody types faster, and one visitor cannot crowd out the others.',
  },
  visitorMessagesPerAddress: {
    ...rate(120, 'messages of visitors', MINUTE_S, 'address'),
    why: 'An address can create many visitors, so it is counted, too. It is enough for twenty people behind one address who write at the same time.',
  },
  visitorMessagesPerSite: {
    ...rate(1_200, 'messages of visitors', MINUTE_S, 'site'),
    why: 'For many addresses together: far more than a team can answer.',
  },
  newChatsPerAddress: {
    ...rate(40, 'new chats', 10 * MINUTE_S, 'address'),
    why: 'Each new chat notifies a team. It is enough for a school class behind one address.',
  },
  greetingsPerAddress: {
    ...rate(60, 'greetings shown', MINUTE_S, 'address'),
    why: 'Against made-up figures. It is enough for a school class behind one address.',
  },
  visitorFiles: {
    ...rate(20, 'files', 10 * MINUTE_S, 'visitor'),
    why: 'To show a problem, a few pictures are enough.',
  },
  visitorFilesPerSite: {
    ...rate(300, 'files of visitors', 10 * MINUTE_S, 'site'),
    why: 'For many addresses together, so that they cannot fill the disk at once.',
  },
  staffMessagesPerAccount: {
    ...rate(120, 'answers, corrections and notes', MINUTE_S, 'account'),
    why: 'Nobody types two a second. Staff are counted, too, because anybody can register.',
  },
  bulkChangesPerAccount: {
    ...rate(1_000, 'chats changed with a list of ids', MINUTE_S, 'account'),
    why: 'One call changes up to a hundred chats, and each is stored and announced like a single one. It is enough to tidy up a long list.',
  },
  ruleTrialsPerAccount: {
    ...rate(30, 'dry runs of rules', MINUTE_S, 'account'),
    why: 'Each reads the messages of a hundred chats.',
  },
  ruleRunsPerSite: {
    ...rate(120, 'rules that apply to chats', MINUTE_S, 'site'),
    why: 'Each can send messages, mails and webhooks, and visitors decide how often. Further ones wait for an hour at most.',
  },
  ruleMailsPerSite: {
    ...rate(100, 'mails of rules', HOUR_S, 'site'),
    why: 'Visitors decide how often a rule applies. Further mails are not sent, and the log of the rule says so.',
  },
  ruleFilesPerSite: {
    ...rate(200, 'files of rules', HOUR_S, 'site'),
    why: 'Visitors decide how often a rule applies, and a file can have ten megabytes. Further files are not sent, and the log of the rule says so.',
  },
  staffFilesPerAccount: {
    ...rate(60, 'files', 10 * MINUTE_S, 'account'),
    why: 'A file can have ten megabytes, and anybody can register. Profile pictures and logos count, too.',
  },
  historyFilesPerAccount: {
    ...rate(60, 'uploads, checks and imports of a history', HOUR_S, 'account'),
    why: 'Each reads the whole file, which takes seconds. It is enough for twenty files an hour.',
  },
  visitorFilesPerIp: {
    ...rate(60, 'files of visitors', 10 * MINUTE_S, 'address'),
    why: 'A file can have ten megabytes.',
  },
  invitesPerAccount: {
    ...rate(60, 'invites', HOUR_S, 'account'),
    why: 'Each can be a mail to a stranger.',
  },
  invitesPerNewAccount: {
    ...rate(10, 'invites', DAY_S, 'account'),
    why: 'The same for accounts that are less than a day old, against creating accounts to send such mails.',
  },
  inviteMailsPerAddress: {
    ...rate(2, 'mails with an invite', DAY_S, 'mailbox'),
    why: 'Against flooding a mailbox with invites of many accounts. Further invites are not mailed; their links can be copied.',
  },
  transcriptsPerVisitor: {
    ...rate(5, 'copies of chats by mail', DAY_S, 'visitor'),
    why: 'The address may not be the visitor’s own.',
  },
  transcriptsPerAddress: {
    ...rate(3, 'copies of chats by mail', DAY_S, 'mailbox'),
    why: 'Many visitors can give the same address.',
  },
  transcriptsPerChat: {
    ...rate(1, 'copy by mail to the same mailbox', DAY_S, 'chat'),
    why: 'A second copy has nothing new.',
  },
  transcriptsPerIp: {
    ...rate(20, 'copies of chats by mail', HOUR_S, 'address'),
    why: 'An address can create many visitors, so it is counted, too.',
  },
  notificationActionsPerAddress: {
    ...rate(60, 'buttons of notifications', MINUTE_S, 'address'),
    why: 'Against trying tokens. It is enough for an office whose team answers from phones.',
  },
  selfCheckPerAccount: {
    ...rate(5, 'test mails', 5 * MINUTE_S, 'account'),
    why: 'Mail servers block senders of too many mails.',
  },
  accountMailsPerMailbox: {
    ...rate(5, 'mails about accounts', HOUR_S, 'mailbox'),
    why: 'News of the security of accounts, links that prove an address, and test mails. Several accounts can lead to one mailbox.',
  },
  accountMailsPerAccount: {
    ...rate(10, 'mails about one account', HOUR_S, 'account'),
    why: 'The same for all addresses that the account has in turn. Further mails wait.',
  },
  outageMails: {
    ...rate(1, 'mail about outages', HOUR_S, 'server'),
    why: 'It lists all new ones. Receivers of webhooks are chosen by anybody.',
  },
  mailsPerSite: {
    ...rate(200, 'mails', HOUR_S, 'site'),
    why: 'Mails of a site to its team, its visitors and invited people. Further mails wait.',
  },
  mailsPerAccount: {
    ...rate(300, 'mails', HOUR_S, 'account'),
    why: 'The same for all sites of an account.',
  },
  mailsPerServer: {
    ...rate(2_000, 'mails', HOUR_S, 'server'),
    why: 'The same for all sites and accounts together, because mail servers block senders of too many mails.',
  },
  mailBoundPerSite: {
    ...rate(1, 'entry in the log', HOUR_S, 'site'),
    why: 'A series of waiting mails of a site is logged once.',
  },
  packetsPerConnection: {
    ...rate(1_000, 'packets', 10, 'connection'),
    why: 'Every packet costs time, even an empty one. Dashboard and widget send far fewer.',
  },
  packetsPerAddress: {
    ...rate(5_000, 'packets', 10, 'address'),
    why: 'For all connections together, because refusing a packet costs time, too. Two hundred active connections send a tenth of it.',
  },
  wrongKeysPerIp: {
    ...rate(60, 'wrong API keys', MINUTE_S, 'address'),
    why: 'Each is looked up. An API key that worked a moment ago does not count, and goes on working.',
  },
  callsPerKey: {
    ...rate(300, 'calls', MINUTE_S, 'API key'),
    why: 'A program in an endless loop does not take the calls of its owner’s dashboard.',
  },
  keyCallsPerAccount: {
    ...rate(900, 'calls with all API keys', MINUTE_S, 'account'),
    why: 'An account can have many API keys, so they are counted together, too.',
  },
  newKeysPerAccount: {
    ...rate(30, 'new API keys', DAY_S, 'account'),
    why: 'Each asks for a password, which takes time to check, and is a mail to its owner.',
  },
  callsPerAccount: {
    ...rate(600, 'calls', MINUTE_S, 'account'),
    why: 'Over HTTP and sockets, on all devices together. A busy agent makes about a tenth of them.',
  },
  chatSearchesPerAccount: {
    ...rate(60, 'searches in a chat', MINUTE_S, 'account'),
    why: 'Each reads up to two thousand messages. An account’s are done one after the other.',
  },
  assistantTriesPerAccount: {
    ...rate(60, 'questions that try the assistant', HOUR_S, 'account'),
    why: 'Each costs tokens of the day, as a question of a visitor does.',
  },
  assistantTestRunsPerAccount: {
    ...rate(20, 'runs of test questions', HOUR_S, 'account'),
    why: 'Each asks all of them, and so costs as many tokens as fifty questions of visitors.',
  },
  ...ARTICLE_LIMITS,
  ...ASSISTANT_LIMITS,
  mailsInPerChat: {
    ...rate(10, 'answers by mail', HOUR_S, 'chat'),
    why: 'Against machines that answer each other without end. Nobody writes so many mails; the chat itself stays open.',
  },
  wrongMailSecretsPerIp: {
    ...rate(60, 'mails with a wrong secret', MINUTE_S, 'address'),
    why: 'Against guessing `MAIL_IN_SECRET`. The right one is always taken.',
  },
  socketsPerVisitor: {
    ...total(10, 'open connections', 'visitor'),
    why: 'Each tab with the chat has one. With more, the oldest tab disconnects until somebody looks at it again.',
  },
  socketsPerIp: {
    ...total(200, 'open connections', 'address'),
    why: 'Dashboards and widgets together. Each needs memory, and more if it does not read its data.',
  },
  connectionsPerIp: {
    ...total(1_000, 'network connections', 'address'),
    why: 'Each takes about ten kilobytes, even without a request. It is enough for two hundred browsers with a few connections each. Connections of a trusted proxy are not counted, because the proxy limits them.',
  },
  unreadBytesPerIp: {
    ...total(32 * MB, 'bytes', 'address'),
    why: 'Large answers that are still on their way, which lie in memory until they are read. Those of which nothing is read for about 20 seconds are cut off.',
  },
  missedPollsPerVisitor: {
    ...rate(10, 'polls that are answered at once', 10, 'visitor'),
    why: 'A browser without WebSockets waits for events with one call after the other; such a call connects anew. Those that wait do not count.',
  },
  missedPollsPerAddress: {
    ...rate(600, 'polls that are answered at once', MINUTE_S, 'address'),
    why: 'An address can create many visitors, so it is counted, too.',
  },
  callsPerVisitor: {
    ...rate(600, 'calls', MINUTE_S, 'visitor'),
    why: 'A widget makes very few.',
  },
  visitorCallsPerAddress: {
    ...rate(3_000, 'calls of visitors', MINUTE_S, 'address'),
    why: 'An address can create many visitors, so it is counted, too. It is enough for two hundred active widgets.',
  },
  webhookTestsPerSite: {
    ...rate(30, 'tests of webhooks, and events sent again', 10 * MINUTE_S, 'site'),
    why: 'Against using the server to send many requests to the server of somebody else.',
  },
  newSitesPerAccount: {
    ...rate(60, 'new websites', HOUR_S, 'account'),
    why: 'A deleted website makes room for a new one, but deleting its data takes time.',
  },
  sessionsPerAccount: {
    ...total(50, 'signed-in devices', 'account'),
    why: 'A new device signs out the one that was not used for the longest time.',
  },
  siteTextBytes: {
    ...total(GB, 'bytes', 'site'),
    why: 'About two million messages. One website cannot fill the disk of all others.',
  },
  siteFileBytes: {
    ...total(5 * GB, 'bytes', 'site'),
    why: 'Files that people send; deleting them makes room. One website cannot fill the disk of all others.',
  },
} as const satisfies Record<string, Limit>;
