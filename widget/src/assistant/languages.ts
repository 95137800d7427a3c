/** What the assistant's part says. Each language is a file of its own, which only pages with an assistant load. */
export const en = {
  /** What it is called where the site has no name for it. */
  name: 'Assistant',
  intro: 'I am an automatic assistant.',
  person: 'Talk to a person',
  thinking: 'Looking for an answer…',
  sources: 'Sources',
  /** After a tap on the button `person`. */
  asked: 'A person will answer you here.',
  /** After an answer that did not help. */
  unhelped: 'Then ask in other words, or talk to a person.',
  mail: 'Where can we send you the answer?',
};

export type AssistantTexts = typeof en;

export const ar: AssistantTexts = {
  name: 'المساعد',
  intro: 'أنا مساعد آلي.',
  person: 'التحدث إلى شخص',
  thinking: 'جارٍ البحث عن إجابة…',
  sources: 'المصادر',
  asked: 'سيرد عليك شخص هنا.',
  unhelped: 'أعد صياغة سؤالك، أو تحدث إلى شخص.',
  mail: 'إلى أين نرسل لك الرد؟',
};

export const de: AssistantTexts = {
  name: 'Assistent',
  intro: 'Ich bin ein automatischer Assistent.',
  person: 'Mit einem Menschen sprechen',
  thinking: 'Sucht nach einer Antwort…',
  sources: 'Quellen',
  asked: 'Ein Mensch wird Ihnen hier antworten.',
  unhelped: 'Fragen Sie mit anderen Worten, oder sprechen Sie mit einem Menschen.',
  mail: 'Wohin dürfen wir die Antwort senden?',
};

export const es: AssistantTexts = {
  name: 'Asistente',
  intro: 'Soy un asistente automático.',
  person: 'Hablar con una persona',
  thinking: 'Buscando una respuesta…',
  sources: 'Fuentes',
  asked: 'Una persona le responderá aquí.',
  unhelped: 'Pregunte con otras palabras o hable con una persona.',
  mail: '¿Adónde podemos enviarle la respuesta?',
};

export const fa: AssistantTexts = {
  name: 'دستیار',
  intro: 'من یک دستیار خودکار هستم.',
  person: 'گفتگو با یک شخص',
  thinking: 'در حال یافتن پاسخ…',
  sources: 'منابع',
  asked: 'یک شخص همین‌جا به شما پاسخ می‌دهد.',
  unhelped: 'پرسش را با واژه‌های دیگری بنویسید یا با یک شخص گفتگو کنید.',
  mail: 'پاسخ را به کجا بفرستیم؟',
};

export const fr: AssistantTexts = {
  name: 'Assistant',
  intro: 'Je suis un assistant automatique.',
  person: 'Parler à une personne',
  thinking: 'Recherche d’une réponse…',
  sources: 'Sources',
  asked: 'Une personne vous répondra ici.',
  unhelped: 'Posez la question autrement, ou parlez à une personne.',
  mail: 'Où pouvons-nous vous envoyer la réponse ?',
};

export const hi: AssistantTexts = {
  name: 'सहायक',
  intro: 'मैं एक स्वचालित सहायक हूँ।',
  person: 'किसी व्यक्ति से बात करें',
  thinking: 'उत्तर खोजा जा रहा है…',
  sources: 'स्रोत',
  asked: 'कोई व्यक्ति आपको यहीं उत्तर देगा।',
  unhelped: 'दूसरे शब्दों में पूछें, या किसी व्यक्ति से बात करें।',
  mail: 'हम आपको उत्तर कहाँ भेजें?',
};

export const ja: AssistantTexts = {
  name: 'アシスタント',
  intro: '自動応答のアシスタントです。',
  person: '担当者と話す',
  thinking: '回答を探しています…',
  sources: '参照元',
  asked: '担当者がここでお答えします。',
  unhelped: '別の言葉で質問するか、担当者にお尋ねください。',
  mail: '回答の送り先を教えてください',
};

export const pt: AssistantTexts = {
  name: 'Assistente',
  intro: 'Sou um assistente automático.',
  person: 'Falar com uma pessoa',
  thinking: 'À procura de uma resposta…',
  sources: 'Fontes',
  asked: 'Uma pessoa responderá aqui.',
  unhelped: 'Pergunte com outras palavras ou fale com uma pessoa.',
  mail: 'Para onde podemos enviar a resposta?',
};

export const ru: AssistantTexts = {
  name: 'Помощник',
  intro: 'Я автоматический помощник.',
  person: 'Поговорить с человеком',
  thinking: 'Ищу ответ…',
  sources: 'Источники',
  asked: 'Вам ответит сотрудник.',
  unhelped: 'Спросите другими словами или поговорите с человеком.',
  mail: 'Куда прислать ответ?',
};

export const tr: AssistantTexts = {
  name: 'Asistan',
  intro: 'Ben otomatik bir asistanım.',
  person: 'Bir kişiyle görüş',
  thinking: 'Yanıt aranıyor…',
  sources: 'Kaynaklar',
  asked: 'Bir kişi size burada yanıt verecek.',
  unhelped: 'Başka sözcüklerle sorun veya bir kişiyle görüşün.',
  mail: 'Yanıtı nereye gönderelim?',
};

export const zh: AssistantTexts = {
  name: '助手',
  intro: '我是自动助手。',
  person: '转人工客服',
  thinking: '正在查找答案…',
  sources: '来源',
  asked: '人工客服将在此为您解答。',
  unhelped: '请换一种说法提问，或转人工客服。',
  mail: '我们把答复发送到哪里？',
};
