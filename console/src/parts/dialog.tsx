import { type ComponentChildren, type JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** A modal dialogue, open as long as it is drawn. Escape and the browser's own means close it. */
export function Dialog({
  title,
  close,
  children,
}: {
  title: string;
  close: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Asks before something that cannot be taken back. The safe answer comes first and has the focus. */
export function Confirm({
  title,
  verb,
  close,
  confirm,
  children,
}: {
  title: string;
  verb: string;
  close: () => void;
  confirm: () => void;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <Dialog title={title} close={close}>
      {children}
      <div class="pair">
        <button type="button" class="button" autofocus onClick={close}>
          Keep it
        </button>
        <button type="button" class="button danger" onClick={confirm}>
          {verb}
        </button>
      </div>
    </Dialog>
  );
}
