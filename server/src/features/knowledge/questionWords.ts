/**
 * Words that stand in questions about anything, by language: how often a word is asked says how little it tells of what is asked for.
 * They count little, but not for nothing: an article may be about one of them.
 */
export const QUESTION_WORDS: Record<string, string> = {
  ar: `كيف ماذا ما هل متى أين لماذا من أي كم يمكن يمكنني أستطيع أريد أود أحتاج عندي لدي هذا هذه ذلك التي الذي في على إلى عن مع أن إن لا لم لن
    قد كان يكون هناك إذا بعد قبل كل حتى أو ثم عند لي لكم لو سمحت فضلك شكرا مرحبا السلام عليكم ممكن يوجد توجد تم بدون أنا نحن هو هي أنتم أرجو مساعدة`,
  de: `wie was wann wo warum wieso wer wen wem welche welcher welches welchen wohin woher kann können könnte könnt konnte ich mir mich mein meine meinen
    meiner meinem du ihr ihre ihren euer eure euch sie wir uns man es der die das den dem des ein eine einen einem einer eines kein keine keinen und oder
    aber ist sind war habe hat haben hatte wird werden wurde muss müssen soll sollte darf dürfen will möchte mag gibt geht gehen mache machen macht tun
    für mit von zu zum zur auf an am in im bei aus nach über um ohne bis vor wenn dass ob nicht nur noch schon auch so da hier dort denn doch mal bitte
    danke hallo lange viel viele etwas jemand eigentlich überhaupt einfach trotzdem wieder gerne funktioniert`,
  en: `how what when where why who which whose can could do does did is are was were be been will would should may might must have has had i me my mine
    you your yours we us our it its this that these those the a an and or but if to of in on at for from with without by about into out up so not no
    any some there here get got want need like please thanks thank hello hi help work works use using make way possible know tell long much many just
    still already ever anyone somebody something going happens happen m s t re ve ll don doesn didn isn won couldn cannot`,
  es: `cómo qué cuándo dónde por porqué quién cuál cuáles cuánto cuánta cuántos cuántas puedo puede pueden podría se me mi mis tu tus su sus yo usted ustedes
    nosotros el la los las un una unos unas de del a al en con sin para sobre desde hasta y o u pero si no es son está están ser estar era fue hay tengo
    tiene tener quiero quisiera necesito hacer hago hace debo lo le les que este esta esto ese esa eso ya más muy también hola gracias favor ayuda`,
  fa: `چطور چگونه چه چی کی کجا چرا کدام آیا چند چقدر می توانم میتوانم می‌توانم توان شود میشود می‌شود کنم کنید کند کردن دارم دارید دارد باید من ما شما او
    این آن را از به در با برای تا و یا اگر که است هست هستند نیست بود شد شده خود هم نمی لطفا سلام ممنون کمک خواهم میخواهم می‌خواهم`,
  fr: `comment quoi que quel quelle quels quelles quand où pourquoi qui combien est-ce ce cet cette ces c qu puis-je puis je peux peut pouvez pourrais j ai
    a avez ont avoir suis est sont être était me m mon ma mes tu vous votre vos nous notre on il elle ils le la les l un une des du de d à au aux en dans
    sur avec sans pour par et ou mais si ne n pas plus y se s son sa ses faire fait faut dois doit veux voudrais besoin bonjour merci plaît svp aide`,
  hi: `कैसे क्या कब कहाँ कहां क्यों कौन कौनसा किस कितना कितने कितनी मैं मुझे मेरा मेरी मेरे आप आपका आपके हम हमारा यह ये वह वो इस उस का की के को में से
    पर तक और या लेकिन अगर तो ही भी नहीं न है हैं था थी थे हो होता होती होगा सकता सकते सकती करना करूँ करूं करें कर करते किया चाहिए चाहता चाहती कृपया नमस्ते
    धन्यवाद मदद लिए साथ बिना`,
  ja: `どう どうすれば どうやって どうしたら 何 なに なん いつ どこ なぜ だれ 誰 どれ どの どちら いくら いくつ ですか ますか でしょうか ませんか できますか
    できません できる ください くださいませんか したい したいです たいのですが たいです したいのですが いいですか すればいいですか ればいい あります ありますか
    ありません います する します しました して した している してください になります について という ことは ことが ことはできますか こと もの 場合 方法 教えて
    教えてください ほしい 欲しい ですが のですが んですが けど から まで には では とは のは のか のが ので なら もう まだ よく お願いします すみません
    こんにちは ありがとう 私 私の 自分 の を は が に で と も へ や か ね よ`,
  pt: `como o que quando onde por porque quem qual quais quanto quanta quantos quantas posso pode podem poderia eu me meu minha meus minhas você vocês seu
    sua seus suas nós nosso a os as um uma uns umas de do da dos das em no na nos nas com sem para pra pelo pela até e ou mas se não é são está estão ser
    estar era foi há tem tenho ter quero queria gostaria preciso fazer faço faz devo isso isto este esta esse essa já mais muito também olá oi obrigado
    obrigada favor ajuda`,
  ru: `как что когда где почему зачем кто кого какой какая какие какое какую сколько куда откуда чей можно могу может можете можем ли мне меня мой моя мои моё
    моего мою я ты вы вас вам ваш ваша ваши мы нас нам это этот эта эти то тот та те в во на по с со из от до для к ко о об у за при без и или но а если
    чтобы не ни нет да есть быть был была было были будет нужно надо хочу хотел хотела делать сделать уже ещё только очень так же бы здравствуйте привет
    спасибо пожалуйста помощь помогите`,
  tr: `nasıl ne neden niçin niye nerede nereden nereye kim hangi hangisi kaç kadar mi mı mu mü miyim mıyım muyum müyüm misiniz mısınız musunuz ben bana benim
    beni biz bize bizim siz size sizin sizi bu şu o bunu onu bir ve veya ya da de ile için gibi ama eğer ise değil var yok olarak olur oluyor oldu olacak
    olan yapabilirim yapmalıyım yaparım yapılır yapmak yapıyor edebilirim ederim etmek ediyor istiyorum gerekiyor gerekli lazım zaman sonra önce daha çok
    hiç en her şey artık hala mümkün lütfen merhaba teşekkürler yardım`,
  zh: `怎么 怎样 怎么办 怎么样 如何 什么 什么时候 何时 哪里 哪儿 哪个 哪些 为什么 为何 谁 多少 多久 几个 可以 可以吗 能 能不能 能否 是否 是不是 有没有 可不可以 我 我的 我想 我要
    我们 你 你们 您 您的 他 这 这个 那个 那 的 了 吗 呢 吧 啊 是 在 和 与 或 或者 不 没 没有 不能 不了 有 要 想 想要 需要 应该 会 请 请问 谢谢 你好 您好 帮 帮助 一下 一个
    如果 因为 所以 但是 还是 还 就 都 也 被 把 给 对 从 到 用 使用 办 做 时候 知道 告诉 才能 怎么才能`,
};
