if (!window.trouble) {
  window.trouble = [];
  const { error } = console, { trouble } = window;
  // Lazy images are missing without a network, and the page is complete without them.
  addEventListener('error', ({ message, target }) => target.loading !== 'lazy' && trouble.push(message ?? `cannot load ${target.outerHTML}`), true);
  addEventListener('unhandledrejection', ({ reason }) => trouble.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => trouble.push(`${violatedDirective} blocks ${blockedURI}`));
  console.error = (...args) => {
    trouble.push(args.join(' '));
    error(...args);
  };
}
