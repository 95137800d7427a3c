import type { ReactNode } from 'react';
import { PublicLayout } from '../../shared/PublicLayout.tsx';

/** /privacy: states what the server's code does; keep both in step. */
export default function PrivacyPage() {
  return (
    <PublicLayout>
      <article className="mx-auto max-w-6xl px-4 py-16 text-base sm:px-6">
        <h1 className="text-4xl font-semibold tracking-[-0.03em] sm:text-5xl">Privacy</h1>
        <p className="max-w-prose pt-4 text-muted">
          Parley runs on one server, and what is written here is kept there and nowhere else. Its pages ask nobody else
          for anything: no trackers, no fonts or scripts from elsewhere, no cookies.
        </p>
        <Part title="If you chat on a website">
          <p>Until you open the chat or write, nothing about you is stored. From then on the server keeps</p>
          <List>
            <li>what you write, the files you send, what is answered, and when it was read;</li>
            <li>your name and e-mail address, if you give them;</li>
            <li>the address and title of the page you chat from;</li>
            <li>which browser and system you use, your time zone and your language;</li>
            <li>how you rated the chat, if you did.</li>
          </List>
          <p>
            It does not store your IP address. Your browser keeps one random key for that website, so that you find your
            conversation again; on the server only its fingerprint is kept.
          </p>
        </Part>
        <Part title="For how long">
          <List>
            <li>
              A chat stays until the website’s team deletes it, until you or they erase you, or until the number of days
              that the website has set is over.
            </li>
            <li>When a website is deleted, its chats, visitors and invitations are deleted at once, too.</li>
            <li>Erasing a person removes who they are first, and then every chat and message they wrote.</li>
          </List>
        </Part>
        <Part title="If you answer chats">
          <List>
            <li>Your name, e-mail address and settings stay for as long as your account does.</li>
            <li>Your password is kept only as a bcrypt hash, from which it cannot be read.</li>
            <li>
              Each signed-in device is kept with its browser’s name until you sign it out or have not used it for the
              time you chose; never longer than 30 days.
            </li>
            <li>Who did what (a role changed, a chat deleted) is noted for 400 days, without any content.</li>
            <li>An invitation is good for 7 days.</li>
          </List>
          <p>
            If you let Parley notify you while it is closed, the maker of your browser carries those notifications,
            encrypted and without the visitor’s words. Mails go through the mail server that whoever runs this server
            has chosen.
          </p>
        </Part>
        <Part title="Who can read it">
          <p>
            The team of the website you chat on, and whoever runs this server. Teams of other websites cannot, and the
            platform’s administrator sees figures only.
          </p>
        </Part>
        <Part title="Your rights">
          <p>
            To erase yourself, choose “Delete my data” in the chat’s menu (⋯), in the browser you chatted from. It
            deletes your conversations and what the team knows of you, at once and for good.
          </p>
          <p>
            For a copy of what is kept about you, ask the website you chatted on: its team makes one in one step, and
            erases you where you no longer have that browser. A website may say more in a privacy policy of its own.
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
