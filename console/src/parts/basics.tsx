import { type ComponentChildren, type JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** A page with its heading, which receives the focus after a navigation. */
export function Page({
  title,
  narrow = false,
  back,
  children,
}: {
  title: string;
  narrow?: boolean;
  /** The page above this one. */
  back?: { href: string; text: string };
  children: ComponentChildren;
}): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Your graph`;
    heading.current?.focus();
  }, [title]);
  return (
    <main class={narrow ? 'page narrow' : 'page'} id="main">
      {back && (
        <p class="crumbs">
          <a href={back.href}>{back.text}</a>
        </p>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}

export function Field({
  label,
  hint,
  ...input
}: { label: string; hint?: string } & JSX.IntrinsicElements['input']): JSX.Element {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <input {...input} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </p>
  );
}

/** An error of the last step. It is read out when it appears. */
export function Problem({ text }: { text: string | null }): JSX.Element {
  return <div role="alert">{text !== null && <p class="problem">{text}</p>}</div>;
}

/**
 * A button that says when it works. It is never disabled while it does: that would take the focus away from people who
 * use the keyboard.
 */
export function Busy({
  isBusy,
  children,
  ...button
}: { isBusy: boolean } & JSX.IntrinsicElements['button']): JSX.Element {
  return (
    <button type="submit" {...button} aria-busy={isBusy}>
      {children}
    </button>
  );
}

export function Loading({ error, reload }: { error: string | null; reload?: () => void }): JSX.Element {
  if (error === null)
    return (
      <p class="quiet" role="status">
        One moment …
      </p>
    );
  return (
    <div role="alert">
      <p class="problem">{error}</p>
      {reload && (
        <button type="button" class="button" onClick={reload}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Sends a form by script alone. */
export const submitting =
  (work: (form: HTMLFormElement) => void) =>
  (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    work(event.currentTarget);
  };

export const fieldOf = (form: HTMLFormElement, name: string): string =>
  (form.elements.namedItem(name) as HTMLInputElement | null)?.value ?? '';
