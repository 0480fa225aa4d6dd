/** What has the keyboard may go a moment later, when a list is read again: then the keyboard stands on what is beside it. */
export function holdFocus(holder: HTMLElement, resource: Element | null): void {
  holder.focus();
  if (!resource) return;
  const observer = new MutationObserver(() => {
    if (holder.isConnected) return;
    stop();
    if (document.activeElement === document.body) focusFirst(resource);
  });
  const stop = () => {
    observer.disconnect();
    document.removeEventListener('focusin', stop);
  };
  observer.observe(resource, { childList: true, subtree: true });
  document.addEventListener('focusin', stop);
}

/** What of a part of the page the keyboard comes to first. */
export function focusFirst(resource: Element | null): void {
  resource?.querySelector<HTMLElement>('a, button')?.focus();
}
