export const PAGE_ACTS = {
  pay: 'Pay',
  'pay-with-action': 'Pay with 3-D Secure',
  'pay-later': 'Pay by bank transfer',
  decline: 'Pay with a card that is declined',
  cancel: 'Back to the shop',
} as const;

export const BANK_ACTS = { 'complete-action': 'Complete', 'fail-action': 'Fail' } as const;

export type PageAct = keyof typeof PAGE_ACTS | keyof typeof BANK_ACTS;

export function actsPage({
  title,
  lines,
  acts,
  action,
}: {
  title: string;
  lines: readonly string[];
  acts: Readonly<Record<string, string>>;
  action: string;
}): string {
  const buttons = Object.entries(acts).map(
    ([act, label]) => `<button name="act" value="${act}">${escapeHtml(label)}</button>`,
  );
  return `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>body{font:1rem/1.5 system-ui;max-width:30rem;margin:3rem auto;padding:0 1rem}button{display:block;margin:.5rem 0;padding:.5rem 1rem}</style>
<h1>${escapeHtml(title)}</h1>
${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
<form method="post" action="${escapeHtml(action)}">
${buttons.join('\n')}
</form>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
