import type { ClientLanguage } from './mailClients.ts';

type Attribution = (date: string, time: string, by: string) => string;
type Headers = [string, string, string, string];

/** The words of mail programs in a language. */
export interface ClientWords {
  locale: string;
  gmail: Attribution;
  apple: Attribution;
  thunderbird: Attribution;
  yahoo: Attribution;
  k9: Attribution;
  headers: { outlook: Headers; samsung: Headers };
  original: string;
  outlook: string;
  iphone: string;
  galaxy: string;
  k9Signature: string;
}

export const CLIENT_WORDS: Record<ClientLanguage, ClientWords> = {
  en: {
    locale: 'en-US',
    gmail: (date, time, by) => `On ${date} at ${time} ${by} wrote:`,
    apple: (date, time, by) => `On ${date}, at ${time}, ${by} wrote:`,
    thunderbird: (date, time, by) => `On ${date} ${time}, ${by} wrote:`,
    yahoo: (date, time, by) => `On ${date} at ${time}, ${by} wrote:`,
    k9: (date, time, by) => `On ${date} ${time}, ${by} wrote:`,
    headers: { outlook: ['From:', 'Sent:', 'To:', 'Subject:'], samsung: ['From:', 'Date:', 'To:', 'Subject:'] },
    original: 'Original message',
    outlook: 'Get Outlook for Android',
    iphone: 'Sent from my iPhone',
    galaxy: 'Sent from my Galaxy',
    k9Signature: 'Sent from my Android device with K-9 Mail. Please excuse my brevity.',
  },
  de: {
    locale: 'de-DE',
    gmail: (date, time, by) => `Am ${date} um ${time} Uhr schrieb ${by}:`,
    apple: (date, time, by) => `Am ${date} um ${time} schrieb ${by}:`,
    thunderbird: (date, time, by) => `Am ${date} um ${time} schrieb ${by}:`,
    yahoo: (date, time, by) => `Am ${date} um ${time} hat ${by} Folgendes geschrieben:`,
    k9: (date, time, by) => `Am ${date} ${time} schrieb ${by}:`,
    headers: { outlook: ['Von:', 'Gesendet:', 'An:', 'Betreff:'], samsung: ['Von:', 'Datum:', 'An:', 'Betreff:'] },
    original: 'Ursprüngliche Nachricht',
    outlook: 'Outlook für Android herunterladen',
    iphone: 'Von meinem iPhone gesendet',
    galaxy: 'Von meinem Galaxy gesendet',
    k9Signature: 'Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.',
  },
  es: {
    locale: 'es-ES',
    gmail: (date, time, by) => `El ${date} a las ${time}, ${by.replace('<', '(<')}) escribió:`,
    apple: (date, time, by) => `El ${date}, a las ${time}, ${by} escribió:`,
    thunderbird: (date, time, by) => `El ${date} a las ${time}, ${by} escribió:`,
    yahoo: (date, time, by) => `En ${date}, ${time}, ${by} escribió:`,
    k9: (date, time, by) => `El ${date} ${time}, ${by} escribió:`,
    headers: {
      outlook: ['De:', 'Enviado el:', 'Para:', 'Asunto:'],
      samsung: ['De:', 'Fecha:', 'Para:', 'Asunto:'],
    },
    original: 'Mensaje original',
    outlook: 'Obtener Outlook para Android',
    iphone: 'Enviado desde mi iPhone',
    galaxy: 'Enviado desde mi Galaxy',
    k9Signature: 'Enviado desde mi dispositivo Android con K-9 Mail. Por favor, disculpa mi brevedad.',
  },
  fr: {
    locale: 'fr-FR',
    gmail: (date, time, by) => `Le ${date} à ${time}, ${by} a écrit :`,
    apple: (date, time, by) => `Le ${date} à ${time}, ${by} a écrit :`,
    thunderbird: (date, time, by) => `Le ${date} à ${time}, ${by} a écrit\u00a0:`,
    yahoo: (date, time, by) => `Le ${date} à ${time}, ${by} a écrit :`,
    k9: (date, time, by) => `Le ${date} ${time}, ${by} a écrit :`,
    headers: {
      outlook: ['De\u00a0:', 'Envoyé\u00a0:', 'À\u00a0:', 'Objet\u00a0:'],
      samsung: ['De :', 'Date :', 'À :', 'Objet :'],
    },
    original: "Message d'origine",
    outlook: 'Télécharger Outlook pour Android',
    iphone: 'Envoyé de mon iPhone',
    galaxy: 'Envoyé depuis mon appareil Galaxy',
    k9Signature: 'Envoyé de mon appareil Android avec Courriel K-9 Mail. Veuillez excuser ma brièveté.',
  },
  pt: {
    locale: 'pt-BR',
    gmail: (date, time, by) => `Em ${date} às ${time}, ${by} escreveu:`,
    apple: (date, time, by) => `Em ${date}, à(s) ${time}, ${by} escreveu:`,
    thunderbird: (date, time, by) => `Em ${date} ${time}, ${by} escreveu:`,
    yahoo: (date, time, by) => `Em ${date} às ${time}, ${by} escreveu:`,
    k9: (date, time, by) => `Em ${date} ${time}, ${by} escreveu:`,
    headers: {
      outlook: ['De:', 'Enviada em:', 'Para:', 'Assunto:'],
      samsung: ['De:', 'Data:', 'Para:', 'Assunto:'],
    },
    original: 'Mensagem original',
    outlook: 'Obter o Outlook para Android',
    iphone: 'Enviado do meu iPhone',
    galaxy: 'Enviado do meu Galaxy',
    k9Signature: 'Enviado do meu dispositivo Android com K-9 Mail. Desculpe-me pela brevidade.',
  },
  ar: {
    locale: 'ar-EG',
    gmail: (date, time, by) => `في ${date} في ${time} تمت كتابة ما يلي بواسطة ${by}:`,
    apple: (date, time, by) => `في ${date}، الساعة ${time}، كتب/كتبت \u2068${by}\u2069:`,
    thunderbird: (date, time, by) => `في ${date} ${time}، كتب ${by}:`,
    yahoo: (date, time, by) => `في ${date}، ${time}، كتب ${by}:`,
    k9: (date, time, by) => `في ${date} ${time}، كتب ${by}:`,
    headers: {
      outlook: ['من:', 'تاريخ الإرسال:', 'إلى:', 'الموضوع:'],
      samsung: ['من:', 'التاريخ:', 'إلى:', 'الموضوع:'],
    },
    original: 'الرسالة الأصلية',
    outlook: 'الحصول على Outlook لـ Android',
    iphone: 'أُرسلت من الـ iPhone',
    galaxy: 'تم الإرسال من هاتف Galaxy',
    k9Signature: 'أرسلت من جهاز أندرويد Android بواسطة K-9 Mail. يرجى المعذرة على الإيجاز.',
  },
};
