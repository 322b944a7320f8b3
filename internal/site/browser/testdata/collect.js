if (!window.trouble) {
  window.trouble = [];
  const { error } = console, { trouble } = window;
  addEventListener('error', ({ message, target }) => trouble.push(message ?? `cannot load ${target.outerHTML}`), true);
  addEventListener('unhandledrejection', ({ reason }) => trouble.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => trouble.push(`${violatedDirective} blocks ${blockedURI}`));
  console.error = (...args) => {
    trouble.push(args.join(' '));
    error(...args);
  };
}
