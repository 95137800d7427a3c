/** What the parts of the chat say that are fetched on need. `{}` is where a name or a number goes. */
export interface MoreWords {
  /** Above the form that comes before the first message. */
  askTitle: string;
  leaveTitle: string;
  name: string;
  email: string;
  message: string;
  start: string;
  skip: string;
  leave: string;
  /** After a message while nobody is there: the answer comes by mail, or, where none can be sent, only here. */
  left: string;
  leftHere: string;
  privacy: string;
  nameMissing: string;
  emailWrong: string;
  messageMissing: string;
  end: string;
  soundOn: string;
  soundOff: string;
  transcript: string;
  transcriptSent: string;
  /** Of everything about the visitor; asked about before it is done. */
  erase: string;
  eraseAsk: string;
  eraseNow: string;
  cancel: string;
  rateTitle: string;
  stars: string;
  comment: string;
  rate: string;
  rated: string;
  notNow: string;
  failed: string;
  /** Of how many megabytes a file may weigh. */
  tooBig: string;
  noEmpty: string;
  newMessage: string;
}

export const more: MoreWords = {
  askTitle: 'Before we start',
  leaveTitle: 'Leave us a message',
  name: 'Name',
  email: 'Email',
  message: 'Message',
  start: 'Start chat',
  skip: 'Skip',
  leave: 'Send message',
  left: 'Thank you. We will answer by email.',
  leftHere: 'Thank you. You will find the answer here.',
  privacy: 'Privacy notice',
  nameMissing: 'Please enter your name',
  emailWrong: 'Please enter a valid email address',
  messageMissing: 'Please write a message',
  end: 'End chat',
  soundOn: 'Turn sound on',
  soundOff: 'Turn sound off',
  transcript: 'Send transcript by email',
  transcriptSent: 'The copy is on its way.',
  erase: 'Delete my data',
  eraseAsk: 'This deletes your conversations and what the team knows of you. It cannot be undone.',
  eraseNow: 'Delete',
  cancel: 'Cancel',
  rateTitle: 'How was this chat?',
  stars: '{} of 5',
  comment: 'Would you like to add something?',
  rate: 'Send rating',
  rated: 'Thank you for your rating.',
  notNow: 'Not now',
  failed: 'That did not work. Please try again.',
  tooBig: 'A file may have up to {} MB.',
  noEmpty: 'This file is empty.',
  newMessage: 'New message',
};
