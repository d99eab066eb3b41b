# Fetches LibreOffice's messages in some languages and unpacks each into a folder of its own, which exists
# only when it is complete: fetch FOLDER LANGUAGE...
set -euo pipefail
folder=$1
shift
mkdir -p "$folder"
part=$(mktemp -d -p "$folder")
trap 'rm -rf "$part"' EXIT
cd "$part"
# As root, apt-get would download as another user, who may not write here.
apt-get -qq -o APT::Sandbox::User=root download "${@/#/libreoffice-l10n-}"
for language in "$@"; do
    package=(libreoffice-l10n-"$language"_*.deb)
    dpkg-deb -x "${package[0]}" "$language"
    dpkg-deb -f "${package[0]}" Version | tr -d '\n' > "$language/version"
    mv "$language" "$folder/"
done
