import type { Forms } from '../chat/language.ts';

/** The texts of the parts that are loaded when they are needed. `{}` stands for a name or a number. */
export const more = {
  askTitle: 'Before we start',
  leaveTitle: 'Leave us a message',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  start: 'Start chat',
  skip: 'Skip',
  /** After a message while nobody is online: the answer comes by mail, or, where no mail can be sent, only in the chat. */
  left: 'Thank you. We will answer by email.',
  leftHere: 'Thank you. You will find the answer here.',
  privacy: 'Privacy notice',
  nameMissing: 'Please enter your name',
  emailWrong: 'Please enter a valid email address',
  phoneWrong: 'Please enter a valid phone number',
  missing: 'Please fill this in',
  tick: 'Please tick this box',
  end: 'End chat',
  soundOn: 'Turn sound on',
  soundOff: 'Turn sound off',
  transcript: 'Send transcript by email',
  transcriptSent: 'The copy is on its way.',
  erase: 'Delete my data',
  eraseAsk: 'This deletes your conversations and what the team knows of you. It cannot be undone.',
  remove: 'Delete',
  cancel: 'Cancel',
  rateTitle: 'How was this chat?',
  unread: { other: '{} unread' } as Forms,
  /** `{max}`: the largest number of stars. */
  stars: '{} of {max}',
  comment: 'Would you like to add something?',
  rate: 'Send comment',
  rated: 'Thank you for your rating.',
  notNow: 'Not now',
  retry: 'Retry',
  expired: 'It could not be delivered within a day.',
  failed: 'That did not work. Please try again.',
  /** `{}`: the largest size of a file in megabytes. */
  tooBig: 'A file may have up to {} MB.',
  noEmpty: 'This file is empty.',
  newMessage: 'New message',
  /** Stand in the conversation where a chat was closed, and where an agent reopened it. */
  closed: 'This conversation has ended. Write again to start a new one.',
  reopened: 'This conversation continues.',
  edited: 'edited',
  deleted: 'Message deleted',
  edit: 'Edit',
  editing: 'Edit message',
  save: 'Save',
  deleteAsk: 'Delete this message?',
  tooLate: 'This message can no longer be changed.',
};

export type PartTexts = typeof more;
