import styles from './help.module.css';

/** Prints the page of the help alone, from a copy that is on no screen. */
export function printArticle(): void {
  const article = document.querySelector('#help-article');
  if (!article) return;
  const sheet = document.createElement('div');
  sheet.className = styles['sheet'] ?? '';
  sheet.append(article.cloneNode(true));
  for (const named of sheet.querySelectorAll('[id]')) named.removeAttribute('id');
  document.body.append(sheet);
  window.addEventListener('afterprint', () => sheet.remove(), { once: true });
  window.print();
}
