import { addMessages } from '@latchkey/server/extension';

const LANGUAGES = ['de', 'fr', 'es', 'pt', 'ja', 'ar'] as const;

/**
 * What the sandbox adds to every page of the service: translations by English string, in the order of the languages.
 * Notes about test people and test cards stay in English, and pages mark them as such.
 */
const MESSAGES: Readonly<Record<string, readonly string[]>> = {
  'Sandbox notice': [
    'Hinweis der Sandbox',
    'Avis de la sandbox',
    'Aviso de la sandbox',
    'Aviso da sandbox',
    'サンドボックスのお知らせ',
    'إشعار بيئة الاختبار',
  ],
  Sandbox: ['Sandbox', 'Sandbox', 'Sandbox', 'Sandbox', 'サンドボックス', 'بيئة اختبار'],
  'Test people, test data. Nothing here is real.': [
    'Testpersonen, Testdaten. Nichts hier ist echt.',
    'Personnes de test, données de test. Rien ici n’est réel.',
    'Personas de prueba, datos de prueba. Nada de esto es real.',
    'Pessoas de teste, dados de teste. Nada aqui é real.',
    'テスト用の人物とデータです。実在するものはありません。',
    'أشخاص للاختبار وبيانات للاختبار. لا شيء هنا حقيقي.',
  ],
  'sandbox mailbox': [
    'Postfach der Sandbox',
    'messagerie de la sandbox',
    'buzón de la sandbox',
    'caixa de entrada da sandbox',
    'サンドボックスのメールボックス',
    'صندوق بريد بيئة الاختبار',
  ],
  'or pick a test person': [
    'oder wählen Sie eine Testperson',
    'ou choisissez une personne de test',
    'o elija una persona de prueba',
    'ou escolha uma pessoa de teste',
    'または、テスト用の人物を選択',
    'أو اختر شخصًا للاختبار',
  ],
  To: ['An', 'À', 'A', 'Para', '宛先', 'إلى'],
  'Other people': [
    'Andere Personen',
    'Autres personnes',
    'Otras personas',
    'Outras pessoas',
    'その他の人物',
    'أشخاص آخرون',
  ],
  'No membership': [
    'Keine Mitgliedschaft',
    'Aucune adhésion',
    'Sin membresía',
    'Sem assinatura',
    'メンバーシップなし',
    'بلا عضوية',
  ],
  'Payments are simulated here: no money moves, and no card is asked for.': [
    'Zahlungen sind hier simuliert: Es fließt kein Geld, und es wird keine Karte verlangt.',
    'Les paiements sont simulés ici : aucun argent ne circule et aucune carte n’est demandée.',
    'Aquí los pagos son simulados: no se mueve dinero y no se pide ninguna tarjeta.',
    'Os pagamentos aqui são simulados: nenhum dinheiro circula e nenhum cartão é pedido.',
    'ここでのお支払いはシミュレーションです。お金は動かず、カードも必要ありません。',
    'المدفوعات هنا محاكاة: لا ينتقل مال ولا تُطلب بطاقة.',
  ],
};

/** Lets the service's pages say in every language that they belong to a sandbox. */
export function addSandboxMessages(): void {
  for (const [place, language] of LANGUAGES.entries()) {
    const texts = Object.entries(MESSAGES).map(([text, translations]) => [text, translations[place] ?? text]);
    addMessages(language, Object.fromEntries(texts));
  }
}
