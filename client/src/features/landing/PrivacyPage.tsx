import type { ReactNode } from 'react';
import { PublicLayout } from '../../shared/PublicLayout.tsx';

/** /privacy: states what the server's code does; keep both in step. */
export default function PrivacyPage() {
  return (
    <PublicLayout>
      <article className="mx-auto max-w-6xl px-4 py-16 text-base sm:px-6">
        <h1 className="text-4xl font-semibold tracking-[-0.03em] sm:text-5xl">Privacy</h1>
        <p className="max-w-prose pt-4 text-muted">
          Parley stores what is written here on its own server only. Its pages load nothing from other servers: no
          trackers, no fonts or scripts of others, no cookies.
        </p>
        <Part title="If you chat on a website">
          <p>Nothing about you is stored until you open the chat or write. From then on the server stores</p>
          <List>
            <li>your messages and files, the answers, and when they were read;</li>
            <li>your name and email address, if you give them;</li>
            <li>the address and title of the page you chat from;</li>
            <li>your browser and system, your time zone and your language;</li>
            <li>your rating of the chat, if you give one;</li>
            <li>if you answer a mail about your chat: its text, files, subject and the address that you write from.</li>
          </List>
          <p>
            It does not store your IP address. Your browser keeps a random key for that website, so that you find your
            conversation again; the server stores only its hash.
          </p>
        </Part>
        <Part title="For how long">
          <List>
            <li>
              A chat is stored until the website’s team deletes it, until you or they delete your data, or until the
              number of days set by the website is over.
            </li>
            <li>When a website is deleted, its chats, visitors and invitations are deleted with it.</li>
            <li>Deleting a person’s data removes their name and address first, then all their chats and messages.</li>
          </List>
        </Part>
        <Part title="If you answer chats">
          <List>
            <li>Your name, email address and settings are stored as long as your account exists.</li>
            <li>Your password is stored only as a bcrypt hash, from which it cannot be read.</li>
            <li>
              Each signed-in device is stored with the name of its browser until you sign it out or its session timeout
              is over, for 30 days at most.
            </li>
            <li>
              An audit log stores for 400 days who did what (such as changing a role or deleting a chat), without any
              content.
            </li>
            <li>An invitation is valid for 7 days.</li>
          </List>
          <p>
            If you allow notifications while Parley is closed, the maker of your browser delivers them, encrypted and
            without the visitor’s message. Mails go through a mail server chosen by the operator of this server.
          </p>
        </Part>
        <Part title="Who can read it">
          <p>
            The team of the website you chat on, and the operator of this server. Teams of other websites cannot, and
            administrators of the platform see figures only.
          </p>
        </Part>
        <Part title="Automatic answers">
          <p>
            A website may let an automatic assistant answer first; it says so. If it does, the last messages of your
            conversation, without numbers of cards and phones and without mail addresses, are sent to a language model
            chosen by the operator of this server. What was sent is stored for 30 days. “Talk to a person” ends it.
          </p>
        </Part>
        <Part title="Your rights">
          <p>
            To delete your data, choose “Delete my data” in the chat’s menu (⋯), in the browser you chatted from. It
            deletes your conversations and what the team knows about you, at once and permanently.
          </p>
          <p>
            For a copy of your data, ask the website you chatted on. Its team can also delete your data if you no longer
            have that browser. A website may say more in its own privacy policy.
          </p>
        </Part>
      </article>
    </PublicLayout>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-10 gap-y-3 pt-12 md:grid-cols-[14rem_1fr]">
      <h2 className="font-semibold">{title}</h2>
      <div className="flex max-w-prose flex-col gap-3 text-muted">{children}</div>
    </section>
  );
}

function List({ children }: { children: ReactNode }) {
  return <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-edge">{children}</ul>;
}
