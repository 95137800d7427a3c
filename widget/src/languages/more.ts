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
