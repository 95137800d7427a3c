import { type Limits, limitsTable } from '#platform/http';
import manifest from '../../../../package.json' with { type: 'json' };
import type { DocOverview } from '../contract.ts';

/** The first page, with the limits of this server. */
export const overview = (limits: Limits): DocOverview => ({
  title: 'Parley documentation',
  description: 'Put a chat on your website, and answer your visitors from one inbox.',
  version: manifest.version,
  sections: [
    {
      id: 'quick-start',
      title: 'Quick start',
      text: ['It takes about two minutes to the first answered message.'],
      items: [
        'Create an account and choose `Add Website`: a name, and the domain your visitors see in the address bar.',
        'Copy the script tag from the `Embed Code` tab and paste it just before the closing body tag of your pages.',
        'Open your website and write a message in the chat, as a visitor.',
        'Open the `Chat Inbox`, claim the chat and answer. The visitor sees the answer at once.',
      ],
    },
    {
      id: 'how-it-works',
      title: 'How it works',
      text: [
        'The script tag loads a small launcher. The chat itself is loaded when a visitor is about to open it. Messages use one connection in both directions; if a network blocks WebSockets, they use HTTP.',
        'Every message has an id from its sender, and is stored before it is acknowledged. So a lost connection, a closed laptop or a restarted server never loses or doubles a message: when people come back, they get what they missed, in order.',
      ],
    },
    {
      id: 'chats',
      title: 'The states of a chat',
      text: ['A chat is `waiting` until a team member takes it, then `active`, and finally `closed`.'],
      items: [
        'With `Claim` you take a chat. If two people press it at the same time, one gets the chat, and the other sees who has it.',
        'The first answer to a waiting chat claims it. Colleagues can answer too, without taking the chat over.',
        'You can transfer a chat to a colleague, or hand it back, so that it waits again.',
        'If a visitor writes after a chat was closed, a new chat starts.',
        'In the inbox and in the history you can select several chats, with `Shift` a range of them, and close, tag or assign them together. One `Undo` opens again what was closed, or takes the tag off.',
      ],
    },
    {
      id: 'snooze',
      title: 'Snoozed and unread chats',
      text: [
        'A chat that can wait is snoozed until later today, tomorrow morning, next Monday morning or a time of your own, of up to a year. It leaves the lists of waiting and active chats for the list `Snoozed`, and keeps its agent. At its time it comes back unread, on top of the list: the bell rings for its agent, or for the team if nobody has it.',
      ],
      items: [
        'It comes back earlier when its visitor writes, when it is closed, or when somebody brings it back. An answer of the team leaves it snoozed.',
        'A snoozed chat is not closed as idle: that time begins anew when it is back. It is not assigned, not taken back from an agent who is absent, and not counted as one of the open chats of its agent.',
        'Nobody is notified of a snoozed chat by mail or push. How long visitors wait for an answer is counted with the time of a snooze, because they do wait.',
        'A chat that is marked as unread is so for the whole team, from the latest message of its visitor on, until somebody opens it or answers. Visitors see neither: a message that they saw as read stays read.',
      ],
    },
    {
      id: 'notifications',
      title: 'Notifications on a phone',
      text: [
        'While no dashboard of yours is open, a visitor’s message rings on your phone or computer, and a waiting chat is mailed after 3 minutes. From both you take the chat with one tap.',
        'A push notification has the button `Claim`, which works on the lock screen where the browser shows buttons. If you choose a quick reply under `Notifications` in your settings, a second button claims the chat and sends it. Otherwise it opens the chat. The notification then says what was done, or which colleague was faster.',
      ],
      items: [
        'A quick reply is one of the canned replies of the website, without files. A message of the visitor is answered with it once, however many devices ring.',
        'The buttons work for two hours, and no longer on a device that was signed out. What they cannot do opens the chat, with the reply in the field, ready to send.',
        'The links in mails open the chat too, after a log-in where it is needed: one claims it, one puts the quick reply into the field. Where the browser shows no buttons, as on an iPhone, a tap on the notification opens the chat.',
      ],
    },
    {
      id: 'greetings',
      title: 'Greetings',
      text: [
        'An unread answer shows above the closed chat button, on every page, until the visitor closes it or opens the chat. Greetings show there too, before a visitor has written. An admin writes up to 10 of them under `Customization` in the settings of the website.',
        'Each has rules: what the address of the page contains, how many seconds the visitor has been on the page, first or returning visits, only while somebody is online, once per visitor or once per visit. Of several that apply, the first one shows. They also apply when a page changes its address without a reload.',
      ],
      items: [
        'A greeting shows in the name of the website. Visitors who close one get no other in that visit, and nobody gets one who has an open chat. A visit ends after half an hour without a page.',
        'The server stores nothing about the visitor, and no connection is opened, until the visitor answers. Then the chat begins with the greeting, so that the team sees what was asked.',
        'Beside each greeting you see how often it was shown and answered. Bots are not counted.',
      ],
    },
    {
      id: 'roles',
      title: 'Who may do what',
      text: ['Each website has a team. Each member has a role in it.'],
      items: [
        '`Admin`: everything, with the settings of the website and its team.',
        '`Agent`: claims, answers, tags, transfers, snoozes and closes chats, marks them as unread, writes notes, corrects what is known about visitors, and can have canned replies of their own.',
        '`Viewer`: reads chats and history and makes exports, but cannot write. Like everybody on the team, a viewer can be mentioned with `@` in a note, and is notified.',
        'The owner is an admin who cannot be removed. Only the owner can delete the website or give it to somebody else.',
      ],
    },
    {
      id: 'reports',
      title: 'Reports',
      text: [
        '`Reports` shows how satisfied visitors are, at which hours of the day chats begin, and what each agent did, of up to 90 days. Times are medians. Chats of bots are not counted.',
      ],
      items: [
        'A chat counts as answered for the agent who gave the first response; not where an agent began it.',
        'A closed chat counts as resolved for the agent who had claimed it, whoever closed it. So does its rating. A chat that was reopened and closed again counts once more, but only if visitor or agent wrote something in between. While a chat is open again, a new rating counts for the website only.',
        'If a visitor rates a chat again, only the last rating counts. Deleted chats count nowhere.',
        'Owners and admins see the figures of all agents, and can save them as a CSV file. Everybody else sees their own, and those of the whole website.',
        'When an account is deleted, its figures stay without the name.',
      ],
    },
    {
      id: 'limits',
      title: 'Limits',
      text: ['Limits make sure that one visitor or script does not slow down all others.'],
      items: [
        '3 websites for each account; websites of others where you are in the team do not count.',
        '5,000 characters in a message, 10 MB in a file.',
        '50 million pixels in a photo, which is reduced to at most 4,096 pixels on each side; 16 million in a WebP, and 10 million in all frames of an animation together.',
        'Too many calls are answered with the status 429; `Retry-After` says how many seconds to wait. Too much data is answered with 413.',
        'The person who runs this server can change each number in the table.',
      ],
      table: limitsTable(limits),
    },
  ],
});
