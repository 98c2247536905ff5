
// Workers are started from bytes that were checked: a browser checks no integrity when it loads a worker's script itself.
const checkedScripts = {};

/** The address of a copy of the script at `url`, in memory; refused where its bytes are not those that were published. */
function checked(url, integrity) {
  checkedScripts[url] ??= fetch(url, { integrity })
    .then((answer) => (answer.ok ? answer.blob() : Promise.reject(new Error(`status ${answer.status}`))))
    .then((bytes) => URL.createObjectURL(new Blob([bytes], { type: "text/javascript" })));
  checkedScripts[url].catch(() => delete checkedScripts[url]); // a network may come
  return checkedScripts[url];
}

/** This very script again, as it was published. */
async function checkedSelf() {
  const own = [...document.scripts].find(({ src }) => src === import.meta.url);
  return checked(own.src, own.integrity);
}
